// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/span.h"
#include "kernels/common/integer_elements.h"

// The innermost loops of integer products and convolutions: a block of sums from pieces of their
// depth. Sums wrap at 32 bits; products within a piece do not.
namespace cresset::kernels {

// What a block holds. It lies on the stack: a convolution takes 7 KB of it, 2 KB on 32-bit
// machines.
inline constexpr bool kSmallStack = sizeof(void*) < 8;
inline constexpr int64_t kIntegerRows = kSmallStack ? 8 : 32;
inline constexpr int64_t kIntegerLanes = kSmallStack ? 8 : 16;
inline constexpr int64_t kIntegerDepth = kSmallStack ? 32 : 64;

// Differences of up to kIntegerLanes outputs along a piece of the depth.
struct IntegerLanes {
  int16_t values[kIntegerLanes][kIntegerDepth];
  int64_t count;  // outputs
  int64_t depth;  // of the piece
};

// Consecutive steps of a piece's depth: their factors lie `step` apart.
struct FactorRun {
  int32_t from;  // the first one's offset
  int32_t count;
};

// The factor that differs from row to row: of row r and step k of a run,
// data[r * row + run.from + k * step].
struct Factors {
  Differences data;
  int64_t row, step;
};

struct IntegerSums {
  uint32_t sums[kIntegerRows][kIntegerLanes];
};

// sums[r][l] += the products of row r and lane l along the piece, whose runs add up to its depth.
// Writes zeros behind the depth of the lanes.
void add_products(const Factors& factors, int64_t rows, Span<const FactorRun> runs,
                  IntegerLanes* lanes, IntegerSums* sums);

}  // namespace cresset::kernels
