// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"

// The words that the printer and the parser of graphs share.
namespace cresset::ir {

// "f32", "i64", "bool": a dtype in the text form.
std::string_view short_name(DType dtype);
// The dtype of that name; false where there is none.
bool dtype_of_short_name(std::string_view name, DType* dtype);

// Whether a name needs no quotes behind its %: letters, digits, '_' and '.'.
bool is_plain_name(std::string_view name);
// The text in double quotes, with \" \\ \n \t and \xNN for what would not survive.
std::string quoted(std::string_view text);

// A double as the parser reads it back, bit for bit but for NaN: "1.0", "1e-05", "inf", "nan".
std::string number_text(double value);

// The elements of a constant, in the order of memory: "[1, 2.5]" for at most `most`, "fill(0.5)"
// for more that are all the same, otherwise "digest(...)", which stands for data that the text
// leaves out.
std::string data_text(const Constant& constant, size_t most);

// A constant whose elements are `values` in the order of memory; fails where they are too few or
// many. `texts` are numbers as data_text writes them.
Expected<ConstantPtr> constant_of(std::string name, TensorType type,
                                  const std::vector<std::string_view>& texts);
// All elements the same.
Expected<ConstantPtr> constant_filled(std::string name, TensorType type, std::string_view number);
// Elements that differ and are the same everywhere for the same seed: multiples of 1/16 in
// [-2, 2) for floating point, [0, 64) for integers (less for narrow ones).
Expected<ConstantPtr> constant_pattern(std::string name, TensorType type, uint64_t seed);

// A hash of the bytes, the same on every host.
uint64_t digest(const void* bytes, size_t size_bytes);

}  // namespace cresset::ir
