// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/tensor.h"

namespace cresset::data {

// A tensor that owns its shape and its elements: what hosts read from files, hand to programs and
// get back. Elements lie dense in dim order (outermost dimension first), aligned to 64 bytes.
// Copies are deep.
class HostTensor {
 public:
  // One float32 zero of rank 0.
  HostTensor();
  // All elements zero. An empty `dim_order` means row-major. The caller guarantees what make()
  // checks.
  HostTensor(DType dtype, std::vector<int32_t> sizes, std::vector<uint8_t> dim_order = {});
  // The same from sizes of doubtful origin: refuses negative sizes, more than kMaxRank dimensions,
  // 2^31 elements or more, and a dim order that is no permutation.
  static Expected<HostTensor> make(DType dtype, Span<const int64_t> sizes,
                                   std::vector<uint8_t> dim_order = {});
  // A deep copy with the same dim order.
  static HostTensor copy_of(const Tensor& tensor);

  HostTensor(const HostTensor& other);
  HostTensor& operator=(const HostTensor& other);
  HostTensor(HostTensor&&) = default;
  HostTensor& operator=(HostTensor&&) = default;

  DType dtype() const { return dtype_; }
  size_t rank() const { return sizes_.size(); }
  const std::vector<int32_t>& sizes() const { return sizes_; }
  const std::vector<uint8_t>& dim_order() const { return dim_order_; }
  bool is_row_major() const;
  int64_t numel() const;
  size_t size_bytes() const { return size_bytes_; }

  // The elements as they lie in memory.
  Span<const uint8_t> bytes() const { return {bytes_.get(), size_bytes_}; }
  Span<uint8_t> mutable_bytes() { return {bytes_.get(), size_bytes_}; }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(bytes_.get());
  }
  template <class T>
  T* mutable_data() {
    return reinterpret_cast<T*>(bytes_.get());
  }

  // Elements from and to row-major order, whatever the tensor's dim order. The spans have
  // size_bytes() bytes. Bools become 0 or 1.
  void assign_row_major(Span<const uint8_t> source);
  void copy_row_major(Span<uint8_t> destination) const;
  // The same logical values in another dim order, a permutation of the dimensions.
  HostTensor reordered(std::vector<uint8_t> dim_order) const;
  // Elements converted as PyTorch's .to(dtype) does. Neither dtype may be complex or opaque.
  HostTensor converted(DType dtype) const;

  // A view for the runtime and for kernels: static shape, shares the elements, valid as long as
  // this object lives, is neither assigned to nor copied into; moving it away keeps the view valid.
  Tensor view();

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };

  void allocate();

  DType dtype_ = DType::kFloat32;
  std::vector<int32_t> sizes_;
  std::vector<uint8_t> dim_order_;
  std::vector<int32_t> strides_;
  size_t size_bytes_ = 0;
  std::unique_ptr<uint8_t[], Free> bytes_;
};

// "float32 [2, 3]", with " channels-last" or " order [0, 2, 1]" where it is not row-major.
std::string describe(DType dtype, Span<const int32_t> sizes, Span<const uint8_t> dim_order);
inline std::string describe(const HostTensor& tensor) {
  return describe(tensor.dtype(), tensor.sizes(), tensor.dim_order());
}

}  // namespace cresset::data
