// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "extensions/data/cases.h"

namespace cresset::tests {

// The ids of the rows that integer arithmetic defines.
const std::vector<std::string>& integer_rows();

// `count` calls of a row with their results by integer_reference(): random shapes (none of some,
// one channel, groups, a channel a group), dim orders, dtypes, zero points and forms of
// requantization; among them elements, sums, multipliers, shifts and scales at their ends. The same
// seed gives the same cases. Any implementation of the row must give exactly these results.
std::vector<data::OperatorCase> random_integer_cases(const std::string& row, uint64_t seed,
                                                     size_t count);

}  // namespace cresset::tests
