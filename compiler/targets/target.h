// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "ops/kernel_table.h"
#include "ops/multipliers.h"

namespace cresset::targets {

// What a row's tensors may be, as told by its first complex one or else by its first one.
enum class DTypes : uint8_t {
  kAny,
  kNoComplex,
  kReal,  // floats up to 64 bits, bfloat16, signed integers and bytes
  kFloat,
  kIntOrBool,
  kRealOrBool,
  kRealOrComplex,
  kRealBoolOrComplex,
  kComplex,
};

struct RankRange {
  ops::Op row;
  size_t min, max;
};

// What a compiled program may count on where it will run.
struct Target {
  std::string name;
  bool in_place = true;               // kernels allow outputs on their inputs' memory
  bool zero_state_is_implied = true;  // the runtime clears planned state
  bool any_row = true;                // every row that the linked kernel tables have; else `rows`
  std::vector<ops::Op> rows;
  bool integer_rows = true;  // quantized operators as integer rows; else as quantize/dequantize
  ops::Requantization requantization = ops::Requantization::kFloat;  // of integer rows
  bool any_order = true;  // every row takes and makes any dim order; else those of `ordered_rows`
  std::vector<ops::Op> ordered_rows;
  bool shares_state = true;      // methods of one program may see the same state
  DTypes dtypes = DTypes::kAny;  // of every row, but for those of `dtype_rows`
  std::vector<std::pair<ops::Op, DTypes>> dtype_rows;
  std::vector<RankRange> rank_rows;
};

// The target with that name: one of compiler/targets/*.def. The error lists the names.
ir::Expected<Target> find_target(std::string_view name);
std::vector<std::string> target_names();

// Why the target does not compute this node, a row, with one of `kernels`; empty where it does.
std::string why_not(const Target& target, ops::KernelTables kernels, const ir::Node& node);

// Whether the target computes this row on tensors that are not row-major, if all of a rank agree.
bool takes_any_order(const Target& target, const ir::Node& node);

}  // namespace cresset::targets
