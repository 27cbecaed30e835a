// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/span.h"
#include "core/tensor.h"

namespace cresset::kernels {

enum class Border : uint8_t { kReflect, kReplicate };

// out = self with a border taken from its own elements. `padding` holds a pair of counts (before,
// after) for each padded dimension, the last dimension first; negative counts crop. Shapes have
// been checked: every padded dimension has elements and a reflection is shorter than it.
void pad_border(const Tensor& self, Span<const int64_t> padding, Border border, Tensor& out);

}  // namespace cresset::kernels
