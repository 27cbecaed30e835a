// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/eval/datum.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace cresset::eval {

namespace {

template <class T>
T load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

std::vector<int64_t> static_sizes(const ir::TensorType& type) {
  std::vector<int64_t> sizes;
  for (const ir::Dim& size : type.sizes) {
    sizes.push_back(size.known().value_or(0));
  }
  return sizes;
}

// Strides in elements of a dense tensor.
std::vector<int64_t> strides_of(const std::vector<int64_t>& sizes,
                                const std::vector<uint8_t>& order) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
  }
  return strides;
}

std::vector<uint8_t> row_major(size_t rank) {
  std::vector<uint8_t> order(rank);
  std::iota(order.begin(), order.end(), uint8_t{0});
  return order;
}

}  // namespace

std::string describe(const Datum& datum) {
  if (const ir::ConstantPtr& tensor = tensor_of(datum)) {
    return dtype_text(tensor->type.dtype) + ir::sizes_text(tensor->type.sizes);
  }
  if (const Scalar* number = std::get_if<Scalar>(&datum)) {
    return number->is_double()                     ? fmt::format("{}", number->to_double())
           : number->kind() == Scalar::Kind::kBool ? (number->to_bool() ? "true" : "false")
                                                   : fmt::format("{}", number->to_int());
  }
  const std::string* text = std::get_if<std::string>(&datum);
  return text == nullptr ? "None" : fmt::format("'{}'", *text);
}

ir::Expected<Scalar> number_of(const Datum& datum) {
  if (const Scalar* number = std::get_if<Scalar>(&datum)) {
    return *number;
  }
  const ir::ConstantPtr& tensor = tensor_of(datum);
  if (tensor == nullptr || tensor->size_bytes != dtype_bytes(tensor->type.dtype)) {
    return ir::error(Status::kInvalidType, "a number is expected, not " + describe(datum));
  }
  const uint8_t* bytes = tensor->bytes;
  switch (tensor->type.dtype) {
    case DType::kBool:
      return Scalar::of_bool(*bytes != 0);
    case DType::kFloat16:
      return Scalar::of_double(load<Half>(bytes));
    case DType::kBFloat16:
      return Scalar::of_double(load<BFloat16>(bytes));
    case DType::kFloat32:
      return Scalar::of_double(load<float>(bytes));
    case DType::kFloat64:
      return Scalar::of_double(load<double>(bytes));
    case DType::kUInt8:
      return Scalar::of_int(load<uint8_t>(bytes));
    case DType::kInt8:
      return Scalar::of_int(load<int8_t>(bytes));
    case DType::kInt16:
      return Scalar::of_int(load<int16_t>(bytes));
    case DType::kInt32:
      return Scalar::of_int(load<int32_t>(bytes));
    case DType::kInt64:
      return Scalar::of_int(load<int64_t>(bytes));
    case DType::kUInt16:
      return Scalar::of_int(load<uint16_t>(bytes));
    case DType::kUInt32:
      return Scalar::of_int(load<uint32_t>(bytes));
    default:
      return ir::error(Status::kInvalidType, describe(datum) + " is no number");
  }
}

ir::Expected<Datum> fit(const Datum& datum, const ir::Type& type) {
  const bool is_tensor = tensor_of(datum) != nullptr;
  if (type.is_tensor() && std::holds_alternative<Scalar>(datum)) {
    return Datum(ir::make_scalar_constant("", type.tensor.dtype, std::get<Scalar>(datum)));
  }
  if (!type.is_tensor() && is_tensor) {
    ir::Expected<Scalar> number = number_of(datum);
    if (!number.ok()) {
      return number.error();
    }
    return Datum(*number);
  }
  return datum;
}

ir::ConstantPtr tensor_from(ir::TensorType type, Bytes bytes) {
  auto constant = std::make_shared<ir::Constant>();
  constant->type = std::move(type);
  constant->bytes = bytes->data();
  constant->size_bytes = bytes->size();
  constant->owner = std::move(bytes);
  return constant;
}

ir::Expected<size_t> tensor_size_bytes(const ir::TensorType& type) {
  std::vector<int32_t> sizes;
  for (const ir::Dim& size : type.sizes) {
    const int64_t known = size.known().value_or(-1);
    if (known < 0 || known > INT32_MAX) {
      return ir::error(Status::kInvalidArgument,
                       "no tensor can have the sizes " + ir::sizes_text(type.sizes));
    }
    sizes.push_back(static_cast<int32_t>(known));
  }
  size_t bytes = 0;
  if (sizes.size() > kMaxRank || !tensor_bytes(type.dtype, sizes, &bytes)) {
    return ir::error(Status::kInvalidArgument,
                     "a tensor of sizes " + ir::sizes_text(type.sizes) + " is too large");
  }
  return bytes;
}

ir::ConstantPtr reordered(const ir::ConstantPtr& tensor, const std::vector<uint8_t>& order) {
  const std::vector<uint8_t> from_order = tensor->type.order();
  if (from_order == order || tensor->size_bytes == 0) {
    ir::TensorType type = tensor->type;
    type.dim_order = order;
    auto same = std::make_shared<ir::Constant>(*tensor);
    same->type = std::move(type);
    return same;
  }
  const std::vector<int64_t> sizes = static_sizes(tensor->type);
  const std::vector<int64_t> from = strides_of(sizes, from_order);
  const size_t item = dtype_bytes(tensor->type.dtype);
  auto bytes = std::make_shared<std::vector<uint8_t>>(tensor->size_bytes);
  std::vector<int64_t> at(sizes.size(), 0);
  int64_t offset = 0;
  for (uint8_t *to = bytes->data(), *end = to + bytes->size(); to != end; to += item) {
    std::memcpy(to, tensor->bytes + static_cast<size_t>(offset) * item, item);
    for (size_t k = order.size(); k-- > 0;) {  // an odometer over `order`
      const uint8_t dim = order[k];
      offset += from[dim];
      if (++at[dim] < sizes[dim]) {
        break;
      }
      offset -= from[dim] * sizes[dim];
      at[dim] = 0;
    }
  }
  ir::ConstantPtr result =
      tensor_from({tensor->type.dtype, tensor->type.sizes, order}, std::move(bytes));
  return result;
}

ir::ConstantPtr item_of(const ir::ConstantPtr& tensor, int64_t index) {
  const ir::ConstantPtr rows = reordered(tensor, row_major(tensor->type.sizes.size()));
  auto item = std::make_shared<ir::Constant>();
  item->type.dtype = rows->type.dtype;
  item->type.sizes.assign(rows->type.sizes.begin() + 1, rows->type.sizes.end());
  const int64_t count = rows->type.sizes[0].known().value_or(1);
  item->size_bytes = rows->size_bytes / static_cast<size_t>(std::max<int64_t>(count, 1));
  item->bytes = rows->bytes + static_cast<size_t>(index) * item->size_bytes;
  item->owner = rows;
  return item;
}

ir::Expected<ir::ConstantPtr> stack(const std::vector<ir::ConstantPtr>& tensors) {
  ir::TensorType type{tensors[0]->type.dtype, {static_cast<int64_t>(tensors.size())}, {}};
  type.sizes.insert(type.sizes.end(), tensors[0]->type.sizes.begin(), tensors[0]->type.sizes.end());
  ir::Expected<size_t> size_bytes = tensor_size_bytes(type);
  if (!size_bytes.ok()) {
    return size_bytes.error();
  }
  auto bytes = std::make_shared<std::vector<uint8_t>>();
  bytes->reserve(*size_bytes);
  for (const ir::ConstantPtr& tensor : tensors) {
    if (tensor->type.dtype != type.dtype || tensor->type.sizes != tensors[0]->type.sizes) {
      return ir::error(
          Status::kInvalidArgument,
          "the tensors to stack differ: " + describe(tensors[0]) + " and " + describe(tensor));
    }
    const ir::ConstantPtr rows = reordered(tensor, row_major(tensor->type.sizes.size()));
    bytes->insert(bytes->end(), rows->bytes, rows->bytes + rows->size_bytes);
  }
  return tensor_from(std::move(type), std::move(bytes));
}

}  // namespace cresset::eval
