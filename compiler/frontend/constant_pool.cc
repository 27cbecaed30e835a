// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/constant_pool.h"

#include <cstring>

#include "compiler/frontend/type_reader.h"

namespace cresset::frontend {

namespace {

// Whether the elements are one run of memory in `order` (row-major where empty).
bool is_dense_run(const StoredTensor& tensor, const std::vector<uint8_t>& order) {
  int64_t expected = 1;
  for (size_t i = tensor.sizes.size(); i > 0; --i) {
    const size_t d = order.empty() ? i - 1 : order[i - 1];
    if (tensor.sizes[d] != 1 && tensor.strides[d] != expected) {
      return false;
    }
    expected *= tensor.sizes[d];
  }
  return true;
}

bool is_channels_last(const std::vector<uint8_t>& order) {
  return (order.size() == 4 || order.size() == 5) && order.front() == 0 && order.back() == 1 &&
         order[1] == 2 && order[2] == 3;
}

// Copies the elements from `dim` on into row-major order.
template <class T>
T* gather(const StoredTensor& tensor, const uint8_t* base, int64_t at, size_t dim, T* out) {
  if (dim == tensor.sizes.size()) {
    std::memcpy(out, base + static_cast<size_t>(at) * sizeof(T), sizeof(T));
    return out + 1;
  }
  for (int64_t i = 0; i < tensor.sizes[dim]; ++i) {
    out = gather(tensor, base, at + i * tensor.strides[dim], dim + 1, out);
  }
  return out;
}

struct Element16 {
  uint64_t halves[2];
};

void gather_all(const StoredTensor& tensor, size_t element_bytes, uint8_t* out) {
  const uint8_t* base = tensor.storage->view.data();
  const int64_t at = tensor.offset_elems;
  switch (element_bytes) {
    case 1:
      gather(tensor, base, at, 0, out);
      return;
    case 2:
      gather(tensor, base, at, 0, reinterpret_cast<uint16_t*>(out));
      return;
    case 4:
      gather(tensor, base, at, 0, reinterpret_cast<uint32_t*>(out));
      return;
    case 8:
      gather(tensor, base, at, 0, reinterpret_cast<uint64_t*>(out));
      return;
    default:
      gather(tensor, base, at, 0, reinterpret_cast<Element16*>(out));
      return;
  }
}

}  // namespace

ir::Expected<ir::ConstantPtr> ConstantPool::add(const StoredTensor& tensor,
                                                const std::string& name) {
  const Key key(tensor.storage.get(), tensor.dtype, tensor.offset_elems, tensor.sizes,
                tensor.strides);
  if (const auto found = constants_.find(key); found != constants_.end()) {
    return found->second;
  }
  auto constant = std::make_shared<ir::Constant>();
  constant->name = name;
  constant->type.dtype = tensor.dtype;
  constant->type.sizes.assign(tensor.sizes.begin(), tensor.sizes.end());
  const size_t element_bytes = dtype_bytes(tensor.dtype);
  // check_view() has made sure that the product does not overflow; zero sizes come first.
  size_t elements = 1;
  for (int64_t size : tensor.sizes) {
    if (size == 0) {
      elements = 0;
      break;
    }
    elements *= static_cast<size_t>(size);
  }
  if (elements != 0) {
    constant->size_bytes = elements * element_bytes;
    size_t last = 0;
    for (size_t d = 0; d < tensor.sizes.size(); ++d) {
      last += static_cast<size_t>((tensor.sizes[d] - 1) * tensor.strides[d]);
    }
    constant->memory = tensor.storage.get();
    constant->memory_begin = static_cast<size_t>(tensor.offset_elems) * element_bytes;
    constant->memory_end = constant->memory_begin + (last + 1) * element_bytes;
    const std::vector<ir::Dim> strides(tensor.strides.begin(), tensor.strides.end());
    const std::vector<uint8_t> order = dim_order_of(constant->type.sizes, strides);
    const uint8_t* first =
        tensor.storage->view.data() + static_cast<size_t>(tensor.offset_elems) * element_bytes;
    const bool aligned =
        reinterpret_cast<uintptr_t>(first) % std::min<size_t>(element_bytes, 8) == 0;
    const bool keeps_order = order.empty() || is_channels_last(order);
    if (aligned && keeps_order && is_dense_run(tensor, order)) {
      constant->type.dim_order = order;
      constant->bytes = first;
      constant->owner = tensor.storage;
    } else {
      if (elements > left_bytes_ / element_bytes) {
        return ir::error(
            Status::kOutOfResources,
            "the weights unfold to far more bytes than the file holds ('" + name + "')");
      }
      left_bytes_ -= constant->size_bytes;
      auto copy = std::make_shared<std::vector<uint64_t>>((constant->size_bytes + 7) / 8);
      gather_all(tensor, element_bytes, reinterpret_cast<uint8_t*>(copy->data()));
      constant->bytes = reinterpret_cast<const uint8_t*>(copy->data());
      constant->owner = std::move(copy);
    }
  }
  storages_.push_back(tensor.storage);
  constants_.emplace(key, constant);
  return ir::ConstantPtr(constant);
}

}  // namespace cresset::frontend
