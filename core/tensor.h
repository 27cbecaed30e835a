// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/span.h"
#include "core/status.h"

namespace cresset {

inline constexpr size_t kMaxRank = 16;

// Whether a tensor keeps its shape, or may be resized within the memory planned for it.
enum class Dynamism : uint8_t { kStatic = 0, kBounded = 1 };

// A view of a block of memory as an n-dimensional array: dtype, sizes, and the order in which its
// dimensions lie in memory. Owns nothing: sizes, dim order, strides and data live as long as their
// owner keeps them. Copies are shallow and see later resizes of one another's arrays.
//
// dim_order lists dimensions from outermost to innermost: [0, 1, 2, 3] is contiguous, [0, 2, 3, 1]
// channels-last. Elements are dense: strides follow from sizes and dim order, in elements.
// numel() is below 2^31. Zero-size dimensions and rank 0 (one element) are valid.
class Tensor {
 public:
  Tensor() = default;
  // Computes strides into `strides`. The spans have the tensor's rank, at most kMaxRank;
  // `dim_order` is a permutation (an empty span means contiguous only for rank 0).
  // `capacity_bytes` is what `data` has room for: the bound of resize().
  Tensor(DType dtype, Span<int32_t> sizes, Span<const uint8_t> dim_order, Span<int32_t> strides,
         void* data, size_t capacity_bytes, Dynamism dynamism = Dynamism::kStatic);

  DType dtype() const { return dtype_; }
  size_t rank() const { return rank_; }
  Dynamism dynamism() const { return dynamism_; }
  Span<const int32_t> sizes() const { return {sizes_, rank_}; }
  Span<const int32_t> strides() const { return {strides_, rank_}; }
  Span<const uint8_t> dim_order() const { return {dim_order_, rank_}; }
  int64_t size(size_t dim) const { return sizes_[dim]; }
  int64_t stride(size_t dim) const { return strides_[dim]; }

  // Product of the sizes.
  int64_t numel() const;
  size_t nbytes() const { return static_cast<size_t>(numel()) * dtype_bytes(dtype_); }
  size_t capacity_bytes() const { return capacity_bytes_; }
  bool is_contiguous() const;
  // Whether both lay out their elements in the same order (dimensions of size 1 do not matter).
  bool same_layout(const Tensor& other) const;

  // Tensors are handles: a const Tensor& argument of a kernel is read-only by convention, enforced
  // by handing out const pointers; outputs are Tensor&.
  template <class T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  template <class T>
  T* mutable_data() {
    return static_cast<T*>(data_);
  }
  const void* raw_data() const { return data_; }
  void* mutable_raw_data() { return data_; }
  void set_data(void* data, size_t capacity_bytes) {
    data_ = data;
    capacity_bytes_ = capacity_bytes;
  }

  // Gives the tensor new sizes and recomputes strides. kInvalidArgument, and nothing changes, when
  // the rank differs, a size is negative, or the elements do not fit capacity_bytes(); a static
  // tensor accepts only its own sizes.
  Status resize(Span<const int32_t> sizes);

 private:
  void compute_strides();

  void* data_ = nullptr;
  size_t capacity_bytes_ = 0;
  int32_t* sizes_ = nullptr;
  int32_t* strides_ = nullptr;
  const uint8_t* dim_order_ = nullptr;
  DType dtype_ = DType::kFloat32;
  uint8_t rank_ = 0;
  Dynamism dynamism_ = Dynamism::kStatic;
};

// A tensor that carries its own shape arrays, for temporaries and tests. Not copyable: the Tensor
// points into it.
class LocalTensor {
 public:
  // Contiguous where `dim_order` is empty. sizes.size() is at most kMaxRank.
  LocalTensor(DType dtype, Span<const int32_t> sizes, void* data, size_t capacity_bytes,
              Span<const uint8_t> dim_order = {});
  LocalTensor(const LocalTensor&) = delete;
  LocalTensor& operator=(const LocalTensor&) = delete;

  Tensor& operator*() { return tensor_; }
  Tensor* operator->() { return &tensor_; }

 private:
  int32_t sizes_[kMaxRank];
  int32_t strides_[kMaxRank];
  uint8_t dim_order_[kMaxRank];
  Tensor tensor_;
};

// Bytes of a dense tensor; false where a size is negative or the product passes 2^31 - 1 elements
// or the address space.
bool tensor_bytes(DType dtype, Span<const int32_t> sizes, size_t* bytes);

// Whether `order` is a permutation of 0 .. size-1.
bool is_permutation(Span<const uint8_t> order);

}  // namespace cresset
