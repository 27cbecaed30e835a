// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/type_reader.h"

#include <algorithm>
#include <numeric>

#include "compiler/frontend/expression_parser.h"
#include "compiler/frontend/schema_enums.h"

namespace cresset::frontend {

namespace {

// PyTorch's own limit.
constexpr size_t kMaxRank = 64;

// Whether the tensor is dense in this order. A dimension of size 1 fits anywhere.
bool is_dense(const std::vector<ir::Dim>& sizes, const std::vector<ir::Dim>& strides,
              const std::vector<uint8_t>& order) {
  ir::Dim expected = 1;
  for (size_t i = order.size(); i > 0; --i) {
    const size_t d = order[i - 1];
    if (sizes[d].known() == 1) {
      continue;
    }
    if (!(strides[d] == expected)) {
      return false;
    }
    expected = expected * sizes[d];
  }
  return true;
}

}  // namespace

std::vector<uint8_t> dim_order_of(const std::vector<ir::Dim>& sizes,
                                  const std::vector<ir::Dim>& strides) {
  const size_t rank = sizes.size();
  std::vector<uint8_t> order(rank);
  std::iota(order.begin(), order.end(), uint8_t{0});
  if (rank != strides.size() || is_dense(sizes, strides, order)) {
    return {};
  }
  if (rank >= 4) {  // channels last, which can be told from symbols as well
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    if (is_dense(sizes, strides, order)) {
      return order;
    }
    std::iota(order.begin(), order.end(), uint8_t{0});
  }
  for (size_t d = 0; d < rank; ++d) {
    if (!strides[d].is_known() || sizes[d].known() == 0) {
      return {};
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint8_t a, uint8_t b) { return *strides[a].known() > *strides[b].known(); });
  return is_dense(sizes, strides, order) ? order : std::vector<uint8_t>();
}

ir::Dim TypeReader::read_dim(const Json& sym_int) {
  const std::string_view tag = sym_int.tag();
  const Json payload = sym_int.payload();
  if (tag == "as_int") {
    return payload.as_int();
  }
  if (tag != "as_expr") {
    sym_int.fail("expected as_int or as_expr");
    return 0;
  }
  const Json text_json = payload.field("expr_str");
  const std::string_view text = text_json.as_text();
  if (const auto found = expressions_.find(text); found != expressions_.end()) {
    return found->second;
  }
  ir::Expected<ir::Dim> dim = parse_expression(text);
  if (!dim.ok()) {
    text_json.fail(dim.error().text, dim.error().status);
    return 0;
  }
  return expressions_.emplace(text, *dim).first->second;
}

std::vector<ir::Dim> TypeReader::read_dims(const Json& sym_ints) {
  std::vector<ir::Dim> dims;
  dims.reserve(std::min(sym_ints.size(), kMaxRank));
  if (sym_ints.size() > kMaxRank) {
    sym_ints.fail("more than " + std::to_string(kMaxRank) + " dimensions");
  }
  sym_ints.each([&](const Json& item) { dims.push_back(read_dim(item)); });
  return dims;
}

ir::TensorType TypeReader::read_tensor_type(const Json& meta, bool* row_major) {
  ir::TensorType type;
  type.dtype = read_dtype(meta.field("dtype"));
  type.sizes = read_dims(meta.field("sizes"));
  for (const ir::Dim& size : type.sizes) {
    if (size.is_known() && *size.known() < 0) {
      meta.field("sizes").fail("a negative size");
    }
  }
  const std::vector<ir::Dim> strides = read_dims(meta.field("strides"));
  type.dim_order = dim_order_of(type.sizes, strides);
  if (row_major != nullptr) {
    std::vector<uint8_t> order(type.sizes.size());
    std::iota(order.begin(), order.end(), uint8_t{0});
    *row_major = strides.size() == order.size() && is_dense(type.sizes, strides, order);
  }
  read_strided_layout(meta);
  return type;
}

}  // namespace cresset::frontend
