// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/message.h"
#include "ops/kernel_table.h"

namespace cresset::ops {

// Whether the values' kinds are what the kernel takes: after this its boxed call may run blind.
// `count` is the number of values. Failure (kInvalidArgument) names the position, got and expected.
Status check_args(const Kernel& kernel, Value* const* args, size_t count, Message* message);

}  // namespace cresset::ops
