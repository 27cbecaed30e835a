// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <Eigen/Core>
#include <exception>

#include "core/kernel_context.h"
#include "core/tensor.h"

// Batches of matrices. All linear algebra here computes in float64, whatever the tensors' dtype:
// one instantiation of each algorithm, and float32 results that are right to the last digits.
namespace cresset::kernels::numerics {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

// The leading dimensions of a call: how many matrices there are, counted row-major.
struct Batch {
  int64_t sizes[kMaxRank] = {};
  size_t rank = 0;

  int64_t count() const {
    int64_t product = 1;
    for (size_t d = 0; d < rank; ++d) {
      product *= sizes[d];
    }
    return product;
  }
};

// The dimensions of `tensor` but the last `inner` ones.
Batch batch_of(const Tensor& tensor, size_t inner = 2);

// Item `i` of the batch, to which the leading dimensions of `tensor` broadcast: a matrix for
// `inner` 2, a column for 1, one element for 0. Any float dtype, int32 or int64.
Matrix read(const Tensor& tensor, const Batch& batch, int64_t i, size_t inner = 2);
void write(Tensor& tensor, const Batch& batch, int64_t i, const Matrix& value, size_t inner = 2);
void write(Tensor& tensor, const Batch& batch, int64_t i, double value);

// kInvalidType where the tensor is neither float32 nor float64.
Status want_float(KernelContext& context, const Tensor& tensor, const char* name);

// f(i) for every matrix; f returns a Status. Running out of memory becomes a status.
template <class F>
Status for_each_matrix(KernelContext& context, const Batch& batch, F f) {
  try {
    const int64_t count = batch.count();
    for (int64_t i = 0; i < count; ++i) {
      CRESSET_TRY(f(i));
    }
    return Status::kOk;
  } catch (const std::exception&) {
    return context.fail(Status::kMemoryAllocationFailed, "no memory for a matrix");
  }
}

}  // namespace cresset::kernels::numerics
