// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/scalar.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels {

// The bytes of one element.
struct Element {
  alignas(16) uint8_t bytes[16] = {};
};

// A number as an element of `dtype`: integers wrap, a complex element gets it as its real part.
// kInvalidType where no number is one.
Status encode(KernelContext& context, Scalar number, DType dtype, Element* element);

// Every element of the box = `element`.
void fill_box(void* data, const Box& box, const Element& element, size_t width);

}  // namespace cresset::kernels
