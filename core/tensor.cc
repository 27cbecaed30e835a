// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/tensor.h"

#include "core/check.h"

namespace cresset {

Tensor::Tensor(DType dtype, Span<int32_t> sizes, Span<const uint8_t> dim_order,
               Span<int32_t> strides, void* data, size_t capacity_bytes, Dynamism dynamism)
    : data_(data),
      capacity_bytes_(capacity_bytes),
      sizes_(sizes.data()),
      strides_(strides.data()),
      dim_order_(dim_order.data()),
      dtype_(dtype),
      rank_(static_cast<uint8_t>(sizes.size())),
      dynamism_(dynamism) {
  CRESSET_CHECK(sizes.size() <= kMaxRank && strides.size() == sizes.size() &&
                dim_order.size() == sizes.size());
  compute_strides();
}

void Tensor::compute_strides() {
  int64_t stride = 1;
  for (size_t i = rank_; i-- > 0;) {
    const uint8_t dim = dim_order_[i];
    strides_[dim] = static_cast<int32_t>(stride);
    stride *= sizes_[dim] > 0 ? sizes_[dim] : 1;
  }
}

int64_t Tensor::numel() const {
  int64_t count = 1;
  for (size_t i = 0; i < rank_; ++i) {
    count *= sizes_[i];
  }
  return count;
}

bool Tensor::is_contiguous() const {
  int64_t expected = 1;
  for (size_t i = rank_; i-- > 0;) {
    if (sizes_[i] != 1 && strides_[i] != expected) {
      return numel() == 0;
    }
    expected *= sizes_[i];
  }
  return true;
}

bool Tensor::same_layout(const Tensor& other) const {
  if (rank_ != other.rank_) {
    return false;
  }
  for (size_t i = 0; i < rank_; ++i) {
    if (sizes_[i] != other.sizes_[i] || (sizes_[i] > 1 && strides_[i] != other.strides_[i])) {
      return false;
    }
  }
  return true;
}

Status Tensor::resize(Span<const int32_t> sizes) {
  if (equal(sizes, this->sizes())) {
    return Status::kOk;
  }
  size_t bytes = 0;
  if (dynamism_ == Dynamism::kStatic || sizes.size() != rank_ ||
      !tensor_bytes(dtype_, sizes, &bytes) || bytes > capacity_bytes_) {
    return Status::kInvalidArgument;
  }
  for (size_t i = 0; i < rank_; ++i) {
    sizes_[i] = sizes[i];
  }
  compute_strides();
  return Status::kOk;
}

LocalTensor::LocalTensor(DType dtype, Span<const int32_t> sizes, void* data, size_t capacity_bytes,
                         Span<const uint8_t> dim_order) {
  CRESSET_CHECK(sizes.size() <= kMaxRank &&
                (dim_order.empty() || dim_order.size() == sizes.size()));
  const size_t rank = sizes.size();
  for (size_t i = 0; i < rank; ++i) {
    sizes_[i] = sizes[i];
    dim_order_[i] = dim_order.empty() ? static_cast<uint8_t>(i) : dim_order[i];
  }
  tensor_ = Tensor(dtype, Span<int32_t>(sizes_, rank), Span<const uint8_t>(dim_order_, rank),
                   Span<int32_t>(strides_, rank), data, capacity_bytes, Dynamism::kBounded);
}

bool tensor_bytes(DType dtype, Span<const int32_t> sizes, size_t* bytes) {
  int64_t count = 1;
  bool empty = false;
  for (int32_t size : sizes) {
    if (size < 0) {
      return false;
    }
    empty = empty || size == 0;
  }
  for (int32_t size : sizes) {
    count *= empty ? 0 : size;
    if (count > INT32_MAX) {
      return false;
    }
  }
  const uint64_t total = static_cast<uint64_t>(count) * dtype_bytes(dtype);
  if (total > SIZE_MAX) {
    return false;
  }
  *bytes = static_cast<size_t>(total);
  return true;
}

bool is_permutation(Span<const uint8_t> order) {
  uint32_t seen = 0;
  for (uint8_t dim : order) {
    if (dim >= order.size() || dim >= 32 || ((seen >> dim) & 1u) != 0) {
      return false;
    }
    seen |= 1u << dim;
  }
  return true;
}

}  // namespace cresset
