// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "kernels/common/elementwise.h"

namespace cresset::kernels {

// out = `yes` where `condition` (bool or uint8, not 0) holds, else `no`; both converted to out's
// dtype. All broadcast to out's shape.
Status select(KernelContext& context, const Tensor& condition, const Operand& yes,
              const Operand& no, Tensor& out);

}  // namespace cresset::kernels
