// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/tensor.h"

namespace cresset::kernels {

enum class Triangle : uint8_t { kLower, kUpper };

// out = self on one side of a diagonal of the last two dimensions, zeros on the other. The diagonal
// runs where column - row = `diagonal` and belongs to both triangles.
void copy_triangle(const Tensor& self, int64_t diagonal, Triangle triangle, Tensor& out);

}  // namespace cresset::kernels
