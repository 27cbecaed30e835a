// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/kernel_context.h"
#include "core/optional.h"
#include "core/value.h"

// What kernels see of an operator: the C++ types of arguments. Kernels include this and not the
// operator table, so that a new row recompiles a handful of files; the registry, which knows rows
// and kernels, ties them together, and a kernel with another signature than its row's does not
// link.
namespace cresset::ops {

using IntSpan = Span<const int64_t>;
using DoubleSpan = Span<const double>;
using BoolSpan = Span<const bool>;
using TensorSpan = Span<Tensor* const>;

// How one argument or output is handed to a kernel.
enum class ArgCode : uint8_t {
  kTensor,           // const Tensor&
  kOptionalTensor,   // const Tensor*, null: absent
  kTensors,          // TensorSpan
  kOptionalTensors,  // TensorSpan with null items where one is absent
  kScalar,           // Scalar
  kOptionalScalar,   // Optional<Scalar>
  kInt,              // int64_t
  kOptionalInt,      // Optional<int64_t>
  kInts,             // IntSpan
  kOptionalInts,     // Optional<IntSpan>
  kDouble,           // double
  kOptionalDouble,   // Optional<double>
  kDoubles,          // DoubleSpan
  kOptionalDoubles,  // Optional<DoubleSpan>
  kBool,             // bool
  kOptionalBool,     // Optional<bool>
  kBools,            // BoolSpan
  kString,           // const char*
  kOptionalString,   // const char*, null: absent
  kDType,            // DType
  kOptionalDType,    // Optional<DType>
  kMutableTensor,    // Tensor&, an argument that the operator writes into
  kOutTensor,        // Tensor&
  kOutTensors,       // TensorSpan, written
  kOutValue,         // Value&: a number that the operator computes
};

// A kernel behind one signature for all: arguments and outputs as values, in kernel-form order. The
// values' kinds must have been checked against the form (ops/check_args.h).
using BoxedFn = Status (*)(KernelContext& context, Value* const* args);

}  // namespace cresset::ops
