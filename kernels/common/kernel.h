// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/kernel_args.h"

// What every kernel file includes: the types of a kernel's arguments, and the operator table not.
namespace cresset::kernels {

using ops::BoolSpan;
using ops::DoubleSpan;
using ops::IntSpan;
using ops::TensorSpan;

}  // namespace cresset::kernels
