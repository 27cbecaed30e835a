// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/tensor.h"

namespace cresset {

// Copies the elements of `source` to `out`, which has the same dtype and sizes but may have another
// dim order. The memories do not overlap unless they are the same with the same layout.
void copy_elements(const Tensor& source, Tensor& out);

}  // namespace cresset
