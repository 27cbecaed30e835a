// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/optional.h"
#include "core/scalar.h"
#include "core/tensor.h"

namespace cresset::ops {

// PyTorch's result type of several operands: tensors with dimensions decide; 0-d tensors, then
// plain numbers, only raise the category (bool < int < float < complex).
class ResultType {
 public:
  ResultType& add(DType dtype, size_t rank) {
    merge(rank > 0 ? &dimensioned_ : &zero_dim_, dtype);
    return *this;
  }
  ResultType& add(const Tensor& tensor) { return add(tensor.dtype(), tensor.rank()); }
  ResultType& add(Scalar number) {
    merge(&number_, number.is_double()                     ? DType::kFloat32
                    : number.kind() == Scalar::Kind::kBool ? DType::kBool
                                                           : DType::kInt64);
    return *this;
  }
  // kFloat32 where nothing was added.
  DType get() const;

 private:
  static void merge(Optional<DType>* into, DType dtype) {
    *into = into->has_value() ? promote(**into, dtype) : dtype;
  }

  Optional<DType> dimensioned_;
  Optional<DType> zero_dim_;
  Optional<DType> number_;
};

// Where an operator computes in floating point: integers and bools become float32.
inline DType float_of(DType dtype) { return is_integral(dtype) ? DType::kFloat32 : dtype; }

}  // namespace cresset::ops
