// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/span.h"

namespace cresset::frontend {

// At most `count` of `names` that resemble `wanted` most (edit distance, nearest first; ties in the
// order given), without those that do not resemble it at all.
std::vector<std::string_view> nearest_names(std::string_view wanted,
                                            Span<const std::string_view> names, size_t count);

}  // namespace cresset::frontend
