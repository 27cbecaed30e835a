// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

// As copy_box, from elements of one dtype to those of another; kInvalidType where there is no
// conversion (complex to or from real numbers).
Status convert_box(KernelContext& context, DType to_dtype, void* to_data, const Box& to,
                   DType from_dtype, const void* from_data, const Box& from);

}  // namespace cresset::kernels
