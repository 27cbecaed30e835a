// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "extensions/data/host_value.h"

namespace cresset::data {

// Floating point values agree where |got - want| <= atol + rtol * |want|; NaN equals NaN;
// infinities must be equal; integers, bools and texts too. Complex numbers differ by the modulus.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

// Why `got` is not what was wanted, or nothing where it is. Kind, dtype and shape must be the same;
// dim order may differ. For tensors the text names how many elements differ and the worst of them:
// "3 of 24 elements differ, worst at [0, 2, 1]: got 0.25, want 0.5".
std::optional<std::string> mismatch(const HostValue& got, const HostValue& want,
                                    Tolerance tolerance);

// The same where only kinds, dtypes and shapes count (results that are random).
std::optional<std::string> shape_mismatch(const HostValue& got, const HostValue& want);

}  // namespace cresset::data
