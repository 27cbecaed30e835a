// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/eval/datum.h"
#include "compiler/eval/eval.h"

namespace cresset::eval {

// One run of one graph: what its values and symbols are.
struct Evaluator::Frame {
  std::unordered_map<const ir::Value*, Datum> values;
  std::map<std::string, int64_t> symbols;

  // What a value of the graph holds; constants and known numbers need no entry. Null: nothing yet.
  const Datum* find(const ir::Value* value);
  // The data of an argument, or of each item of a list: plain numbers, texts and values.
  ir::Expected<Datum> datum_of(const ir::Argument& argument);
  ir::Expected<std::vector<Datum>> data_of(const ir::Argument& list);

  // Learns from a value's actual sizes what its symbols are, then checks dtype, rank and sizes.
  // The error says got and expected.
  ir::Error check(const ir::Type& type, const Datum& datum);
  // The type with known symbols replaced.
  ir::Type concrete(const ir::Type& type) const;

 private:
  bool agrees(const ir::Dim& expected, int64_t got);
};

}  // namespace cresset::eval
