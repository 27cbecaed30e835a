// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "extensions/data/cases.h"

namespace cresset::tests {

// The result of a call of an integer row (cresset::q*, cresset::requantize) by the definition in
// docs/quantization.md: 64-bit integers, one element at a time, no code shared with kernels. `row`
// is the row's id; every argument must be given by position. The output has no dim order yet.
data::HostTensor integer_reference(const std::string& row, const data::OperatorCase& call);

}  // namespace cresset::tests
