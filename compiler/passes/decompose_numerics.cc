// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/decompositions.h"
#include "ops/op.h"

// Linear algebra in the few factorizations that kernels/numerics computes. What raises on a
// singular matrix asks its factorization to.
namespace cresset::passes {

Value* singular_values(Builder& b, Value* x) {
  return b.calls(Op::_linalg_svd, {x, false, false, Argument()})[1];
}

Value* singular_norm(Builder& b, Value* x, double order, const std::vector<size_t>& dims) {
  Ints order_of_dims;
  for (size_t d = 0; d < x->rank(); ++d) {
    if (d != dims[0] && d != dims[1]) {
      order_of_dims.push_back(static_cast<int64_t>(d));
    }
  }
  order_of_dims.push_back(static_cast<int64_t>(dims[0]));
  order_of_dims.push_back(static_cast<int64_t>(dims[1]));
  Value* s = singular_values(b, b.permute(x, order_of_dims));
  return order == 1  ? b.sum(s, {-1}, false)
         : order > 0 ? b.amax(s, {-1}, false)
                     : b.amin(s, {-1}, false);
}

namespace decompositions {

namespace {

Dims batch_of(const Value* x) { return {x->sizes().begin(), x->sizes().end() - 2}; }

Value* eigenvalues(Builder& b, Value* x, Argument uplo) {
  return b.calls(Op::_linalg_eigh, {x, std::move(uplo), false})[0];
}

Value* inverse_or_fail(Builder& b, Value* x) { return b.call(Op::linalg_inv_ex, {x, true}); }

Values first_two(const Values& values) { return {values[0], values[1]}; }

}  // namespace

Values linalg_inv(Builder& b) { return {inverse_or_fail(b, b.in(0))}; }
Values inverse(Builder& b) { return {inverse_or_fail(b, b.in(0))}; }

Values linalg_solve(Builder& b) {
  return {b.call(Op::_linalg_solve_ex, {b.in(0), b.in(1), b.flag(2), true})};
}
Values linalg_solve_ex(Builder& b) {
  const Values r = b.calls(Op::_linalg_solve_ex, {b.in(0), b.in(1), b.flag(2), b.flag(3)});
  return {r[0], r[3]};
}
Values lu_solve(Builder& b) {
  return {b.call(Op::linalg_lu_solve, {b.in(1), b.in(2), b.in(0), true, false})};
}

Values det(Builder& b) { return {b.call(Op::_linalg_det, {b.in(0)})}; }
Values linalg_det(Builder& b) { return det(b); }
Values linalg_slogdet(Builder& b) { return first_two(b.calls(Op::_linalg_slogdet, {b.in(0)})); }
Values slogdet(Builder& b) { return linalg_slogdet(b); }
Values logdet(Builder& b) {
  const Values r = linalg_slogdet(b);
  return {b.where(b.eq(r[0], -1.0), std::numeric_limits<double>::quiet_NaN(), r[1])};
}

Values linalg_cholesky(Builder& b) {
  return {b.call(Op::linalg_cholesky_ex, {b.in(0), b.flag(1), true})};
}
Values cholesky(Builder& b) { return linalg_cholesky(b); }
Values linalg_lu_factor(Builder& b) {
  return first_two(b.calls(Op::linalg_lu_factor_ex, {b.in(0), b.flag(1), true}));
}
Values _lu_with_info(Builder& b) {
  return b.calls(Op::linalg_lu_factor_ex, {b.in(0), b.flag(1), b.flag(2)});
}
Values linalg_ldl_factor(Builder& b) {
  return first_two(b.calls(Op::linalg_ldl_factor_ex, {b.in(0), b.flag(1), true}));
}
Values qr(Builder& b) {
  return b.calls(Op::linalg_qr, {b.in(0), b.flag(1) ? "reduced" : "complete"});
}

Values linalg_svd(Builder& b) {
  return b.calls(Op::_linalg_svd, {b.in(0), b.flag(1), true, Argument()});
}
Values linalg_svdvals(Builder& b) { return {singular_values(b, b.in(0))}; }
Values linalg_eigh(Builder& b) {
  return b.calls(Op::_linalg_eigh, {b.in(0), b.node().arg(1), true});
}
Values linalg_eigvalsh(Builder& b) { return {eigenvalues(b, b.in(0), b.node().arg(1))}; }

namespace {

// A tolerance given as a number.
Argument tolerance(Builder& b, size_t i) {
  return b.has(i) ? Argument(b.scalar(b.number(i), DType::kFloat64)) : Argument();
}

// How many singular values are greater than both tolerances, where null is PyTorch's default.
Values rank_of(Builder& b, Value* atol, Value* rtol, bool hermitian) {
  Value* x = b.in(0);
  if (numel(x->sizes()) == Dim(0)) {
    return {b.full(b.out().sizes, Scalar::of_int(0), DType::kInt64)};
  }
  if (!b.size(x, -1).is_known() || !b.size(x, -2).is_known()) {
    return b.unsupported("the sizes of the matrices must be known");
  }
  Value* s = hermitian ? b.unary(Op::abs, eigenvalues(b, x, "L")) : singular_values(b, x);
  Value* greatest = b.amax(s, {-1}, true);
  const double epsilon = x->dtype() == DType::kFloat32 ? std::numeric_limits<float>::epsilon()
                                                       : std::numeric_limits<double>::epsilon();
  const double usual =
      epsilon * static_cast<double>(std::max(*b.size(x, -1).known(), *b.size(x, -2).known()));
  Value* relative = b.mul(greatest, usual);
  if (rtol != nullptr) {
    relative = b.mul(greatest, b.unsqueeze(rtol, -1));
  }
  Value* least = relative;
  if (atol != nullptr) {
    atol = b.unsqueeze(atol, -1);
    if (rtol == nullptr) {
      relative = b.where(b.gt(atol, 0.0), 0.0, relative);
    }
    least = b.maximum(atol, relative);
  }
  return {b.sum(b.cast(b.gt(s, least), DType::kInt64), {-1}, false)};
}

Value* value_of(const Argument& argument) {
  return argument.is_none() ? nullptr : argument.value();
}

}  // namespace

Values linalg_matrix_rank_atol_rtol_tensor(Builder& b) {
  return rank_of(b, b.in(1), b.in(2), b.flag(3));
}
Values linalg_matrix_rank_atol_rtol_float(Builder& b) {
  return rank_of(b, value_of(tolerance(b, 1)), value_of(tolerance(b, 2)), b.flag(3));
}
Values linalg_pinv_atol_rtol_float(Builder& b) {
  return {b.call(Op::linalg_pinv_atol_rtol_tensor,
                 {b.in(0), tolerance(b, 1), tolerance(b, 2), b.flag(3)})};
}
Values pinverse(Builder& b) {
  return {b.call(Op::linalg_pinv_atol_rtol_tensor, {b.in(0), Argument(), tolerance(b, 1), false})};
}

Values linalg_cond(Builder& b) {
  Value* x = b.in(0);
  const double order = b.has(1) ? b.number(1) : 2;
  if (std::abs(order) == 2) {
    Value* s = singular_values(b, x);
    Value* greatest = b.select(s, -1, Dim(0));
    Value* least = b.select(s, -1, b.size(s, -1) - 1);
    return {order > 0 ? b.div(greatest, least) : b.div(least, greatest)};
  }
  const auto norm = [&](Value* m) {
    return b.typed(Op::linalg_matrix_norm, {m, order, Argument::ints({-2, -1}), false, Argument()},
                   TensorType{x->dtype(), batch_of(x), {}});
  };
  const Values inverted = b.calls(Op::linalg_inv_ex, {x, false});
  Value* product = b.mul(norm(x), norm(inverted[0]));
  return {b.where(b.eq(inverted[1], 0), product, std::numeric_limits<double>::infinity())};
}

Values linalg_tensorinv(Builder& b) {
  Value* x = b.in(0);
  const Dims left(x->sizes().begin(), x->sizes().begin() + b.integer(1));
  const Dim side = numel(left);
  return {b.view(inverse_or_fail(b, b.view(x, {side, side})), b.out().sizes)};
}
Values linalg_tensorsolve(Builder& b) {
  Value* a = b.in(0);
  if (b.has(2)) {  // these dimensions go to the end
    const std::vector<size_t> moved = b.axes(2, a->rank());
    Ints order;
    for (size_t d = 0; d < a->rank(); ++d) {
      if (std::find(moved.begin(), moved.end(), d) == moved.end()) {
        order.push_back(static_cast<int64_t>(d));
      }
    }
    order.insert(order.end(), moved.begin(), moved.end());
    a = b.permute(a, order);
  }
  const Dim side = numel(b.in(1)->sizes());
  Value* x =
      b.call(Op::_linalg_solve_ex, {b.view(a, {side, side}), b.view(b.in(1), {side}), true, true});
  return {b.view(x, b.out().sizes)};
}

Values nuclear_norm(Builder& b) {
  return {b.view(singular_norm(b, b.in(0), 1, {0, 1}), b.out().sizes)};
}
Values nuclear_norm_dim(Builder& b) {
  return {b.view(singular_norm(b, b.in(0), 1, b.axes(1, b.in(0)->rank())), b.out().sizes)};
}

}  // namespace decompositions
}  // namespace cresset::passes
