// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/builder.h"
#include "compiler/passes/constant_numbers.h"

namespace cresset::passes {

// A constant matrix of integers of at most 8 bits: (number - zero) * scale, where `group`
// neighbours in a row share scale and zero point; the last group of a row may be shorter.
struct GroupedWeight {
  std::string name;
  size_t rows = 0, columns = 0;
  size_t group = 0;  // at least 1 where there are columns
  std::vector<int8_t> numbers;
  Doubles scales;  // of each row's groups
  Doubles zeros;   // the same, or empty: all 0

  size_t groups() const { return columns == 0 ? 1 : (columns + group - 1) / group; }
};

// The weights that a value is made from by quantized_decomposed's or torchao's dequantize
// operators, and what turns groups into rows. On failure `why` says what is in the way.
std::optional<GroupedWeight> read_grouped_weight(const ir::Value* value, std::string* why);

// Rows become columns; nothing where a row has several groups.
std::optional<GroupedWeight> transposed(const GroupedWeight& weight);

// In the least of 8, 4 and 2 bits that hold the numbers: the arguments weight, scale, zero of
// qlinear_weight and its kin. `bits` and `group_size` are its arguments of these names.
std::vector<Argument> pack(Builder& b, const GroupedWeight& weight, int64_t* bits,
                           int64_t* group_size);

}  // namespace cresset::passes
