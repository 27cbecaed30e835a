// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

namespace cresset::tests {

// How often this program, shared libraries excepted, has taken memory from the heap: malloc and its
// kin (which the linker leads here, see CMakeLists.txt) and operator new.
size_t allocations();

}  // namespace cresset::tests
