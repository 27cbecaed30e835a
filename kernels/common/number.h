// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/scalar.h"
#include "core/value.h"

// Arithmetic of a program's plain numbers, with Python's meaning. Two integers (bools count as
// integers) give an integer, a double among them a double; integers wrap at 64 bits.
namespace cresset::kernels::number {

Status add(KernelContext& context, Scalar a, Scalar b, Value* out);
Status subtract(KernelContext& context, Scalar a, Scalar b, Value* out);
Status multiply(KernelContext& context, Scalar a, Scalar b, Value* out);
// kInvalidArgument for a divisor of 0.
Status floor_divide(KernelContext& context, Scalar a, Scalar b, Value* out);
Status modulo(KernelContext& context, Scalar a, Scalar b, Value* out);
Status true_divide(KernelContext& context, Scalar a, Scalar b, Value* out);
Status power(KernelContext& context, Scalar a, Scalar b, Value* out);
Status negate(KernelContext& context, Scalar a, Value* out);
Status maximum(KernelContext& context, Scalar a, Scalar b, Value* out);
Status minimum(KernelContext& context, Scalar a, Scalar b, Value* out);

// Whether both are bools.
inline bool is_bools(Scalar a, Scalar b) {
  return a.kind() == Scalar::Kind::kBool && b.kind() == Scalar::Kind::kBool;
}

// a as an integer after `round`; an integer stays. kInvalidArgument where int64 cannot hold it.
Status round_with(KernelContext& context, Scalar a, double (*round)(double), Value* out);

// Where a stands to b, exactly: for integers without a detour through doubles.
struct Order {
  bool less, equal, greater;  // none where either is NaN
};
Order order(Scalar a, Scalar b);

}  // namespace cresset::kernels::number
