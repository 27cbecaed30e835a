// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cresset::quantizer {

// Rows of weights as integers of few bits around 0, where `group` neighbours share a scale; the
// last group of a row may be shorter.
struct LowBits {
  std::vector<int8_t> integers;  // as the weights lie
  std::vector<float> scales;     // of each row's groups
  double sqnr_db = 0;            // of the weights, or, with moments, of products with such inputs
};

struct LowBitsJob {
  const std::vector<float>& weights;  // rows x columns
  size_t rows, columns;
  int bits;      // 8, 4, 2
  size_t group;  // 1 .. columns
  // Sums of products of the inputs that the columns are multiplied with, columns x columns; empty:
  // nothing is known about them.
  const std::vector<double>& moments;
};

// Every number to the nearest step; the greatest magnitude of a group is in the middle between its
// ends.
LowBits round_plainly(const LowBitsJob& job);

// The scales of least squared error; with moments, what rounding one column makes wrong is then put
// right by the columns behind it (second order, as in GPTQ, arXiv 2210.17323).
LowBits search_low_bits(const LowBitsJob& job);

}  // namespace cresset::quantizer
