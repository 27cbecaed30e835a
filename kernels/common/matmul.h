// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "kernels/common/elements.h"

namespace cresset::kernels {

// A matrix somewhere in a tensor: element (i, j) is data[i * row + j * column].
template <class Data>
struct Matrix {
  Data data;
  int64_t row;
  int64_t column;
};

// What becomes of a product's sums: alpha * sum + beta * other, where `other` is broadcast by
// strides of 0. Without `other`, alpha * sum; never reads `other` where beta is 0.
template <class E>
struct Finish {
  typename E::Compute alpha = 1;
  typename E::Compute beta = 0;
  Matrix<typename E::In> other = {};

  typename E::Compute operator()(typename E::Compute sum, int64_t i, int64_t j) const {
    using C = typename E::Compute;
    const C scaled = alpha == C(1) ? sum : multiply_add(C(0), alpha, sum);
    return beta == C(0) ? scaled
                        : multiply_add(scaled, beta, other.data[i * other.row + j * other.column]);
  }
};

struct ProductSizes {
  int64_t rows, columns, depth;
};

// Rows of the result that are worth a thread.
inline int64_t product_grain(const ProductSizes& sizes) {
  return 1 + 65536 / (1 + sizes.columns * sizes.depth);
}

// The last two dimensions of `tensor`, from element `offset` on.
template <class E>
Matrix<typename E::In> matrix_of(const Tensor& tensor, int64_t offset) {
  return {elements_of<E>(tensor) + offset, tensor.stride(tensor.rank() - 2),
          tensor.stride(tensor.rank() - 1)};
}
template <class E>
Matrix<typename E::Out> matrix_of(Tensor& tensor, int64_t offset) {
  return {elements_of<E>(tensor) + offset, tensor.stride(tensor.rank() - 2),
          tensor.stride(tensor.rank() - 1)};
}

// out = finish(a @ b) for rows [first, last) of out. Defined for each way to compute elements.
template <class E>
void multiply_rows(const ProductSizes& sizes, int64_t first, int64_t last,
                   const Matrix<typename E::In>& a, const Matrix<typename E::In>& b,
                   const Finish<E>& finish, const Matrix<typename E::Out>& out);

}  // namespace cresset::kernels
