// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace cresset::tests {

// How often this program, shared libraries excepted, has taken memory from the heap (malloc and its
// kin, to which the linker leads here, and operator new), and how many blocks it holds.
size_t heap_allocations();
int64_t heap_blocks();

}  // namespace cresset::tests
