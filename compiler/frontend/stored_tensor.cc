// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/stored_tensor.h"

#include <algorithm>

namespace cresset::frontend {

namespace {

size_t component_bytes(DType dtype) {
  return is_complex(dtype) ? dtype_bytes(dtype) / 2 : dtype_bytes(dtype);
}

std::string shown(const std::vector<int64_t>& numbers) {
  std::string text = "[";
  for (int64_t number : numbers) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  }
  return text + "]";
}

}  // namespace

Error check_view(const StoredTensor& tensor, const std::string& name) {
  bool defective = tensor.sizes.size() != tensor.strides.size() || tensor.offset_elems < 0;
  bool empty = false;
  for (size_t i = 0; i < tensor.sizes.size() && !defective; ++i) {
    defective = tensor.sizes[i] < 0 || tensor.strides[i] < 0;
    empty |= tensor.sizes[i] == 0;
  }
  int64_t elements = 1;
  int64_t last = tensor.offset_elems;
  for (size_t i = 0; i < tensor.sizes.size() && !defective && !empty; ++i) {
    int64_t reach = 0;
    defective = __builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &reach) ||
                __builtin_add_overflow(last, reach, &last) ||
                __builtin_mul_overflow(elements, tensor.sizes[i], &elements);
  }
  const int64_t have = static_cast<int64_t>(tensor.storage->size() / dtype_bytes(tensor.dtype));
  // A broken stride must not turn a few stored bytes into a huge tensor.
  constexpr int64_t kMaxExpansion = int64_t{1} << 20;
  if (!defective && !empty) {
    if (have == 0) {
      return {Status::kInvalidExternalData,
              name + " has the shape " + shown(tensor.sizes) +
                  " and no bytes: the program was exported with fake weights; export it with the "
                  "real ones"};
    }
    defective = last >= have || elements / kMaxExpansion > have;
  }
  if (defective) {
    return {Status::kInvalidExternalData,
            name + " with sizes " + shown(tensor.sizes) + ", strides " + shown(tensor.strides) +
                " and offset " + std::to_string(tensor.offset_elems) + " leaves its " +
                std::to_string(have) +
                " stored elements; was a view on a GPU exported? Export "
                "the model from the CPU (model.cpu())"};
  }
  return {};
}

SharedBytes swap_elements(const SharedBytes& bytes, DType dtype) {
  const size_t step = component_bytes(dtype);
  std::string swapped(bytes.text());
  for (size_t i = 0; i + step <= swapped.size(); i += step) {
    std::reverse(swapped.begin() + static_cast<ptrdiff_t>(i),
                 swapped.begin() + static_cast<ptrdiff_t>(i + step));
  }
  return own_bytes(std::move(swapped));
}

SharedBytes flip_signs(const SharedBytes& bytes, DType dtype, bool imaginary_only) {
  const size_t component = component_bytes(dtype);
  const size_t step = imaginary_only ? 2 * component : component;
  std::string flipped(bytes.text());
  for (size_t i = step; i <= flipped.size(); i += step) {
    flipped[i - 1] = static_cast<char>(flipped[i - 1] ^ 0x80);
  }
  return own_bytes(std::move(flipped));
}

}  // namespace cresset::frontend
