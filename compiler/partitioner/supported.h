// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "ops/op.h"

// What a backend takes, as data. A backend's supported.def has a row an operator, sorted by id:
//
//   SUPPORTED(conv2d, "input: f32, rank 4", "weight: f32, constant", "bias: f32", "stride",
//             "padding", "dilation: 1", "groups")
//
// Every text names an argument that the backend HONOURS. An argument that no text names must have
// its schema's default: the framework checks it, so no argument is ever ignored silently. Behind a
// colon stand conditions, separated by commas:
//
//   f32 | f16     dtypes, of a tensor (required) or of a ScalarType argument
//   rank 4        rank 1..4, rank 2..: number of dimensions of a tensor
//   constant      the tensor's contents are known when the model is compiled
//   any order     the tensor may come in any dim order; without it the framework makes it row-major
//   1 | 2         1..8, 0..: values of a number or of every item of a list of numbers
//   'none'        values of a string
//
// An optional argument may always be absent. Two more texts speak of the whole call:
//
//   "result: f32"      dtypes of the results; without it those of the tensor arguments
//   "all: same dtype"  "all: same sizes" (no broadcasting): of all tensor arguments
namespace cresset::partitioner {

// One row as written.
struct SupportedOp {
  ops::Op op;
  std::vector<std::string> claims;
};

// Closed; numbers compare as doubles.
struct Interval {
  double min;
  double max;
};

// What is said of one argument, taken apart. Empty lists: no condition.
struct Claim {
  size_t arg = 0;  // position in the schema
  std::vector<DType> dtypes;
  size_t min_rank = 0;
  size_t max_rank = SIZE_MAX;
  bool constant = false;
  bool any_order = false;
  std::vector<Interval> numbers;
  std::vector<std::string> strings;
  std::string text;  // the conditions as written, without "constant" and "any order"
};

struct SupportedRow {
  ops::Op op;
  std::vector<Claim> claims;   // in schema order
  std::vector<DType> results;  // dtypes that results may have
  bool same_dtype = false;
  bool same_sizes = false;

  const Claim* find(size_t arg) const;
  bool any_order() const;  // all its tensor arguments
};

// A backend's rows, taken apart.
class SupportTable {
 public:
  // kInvalidArgument, naming row and text, where a text is not as above, names no argument of the
  // schema, or an argument without a default is not named.
  static ir::Expected<SupportTable> read(Span<const SupportedOp> rows);

  const std::vector<SupportedRow>& rows() const { return rows_; }
  const SupportedRow* find(ops::Op op) const;

  // Why the node does not fulfil its row, "" where it does: "dilation [2, 2] not supported by
  // example (takes 1)". `backend` is the name for the text.
  std::string refusal(const ir::Node& node, const std::string& backend) const;

 private:
  std::vector<SupportedRow> rows_;  // sorted by op
};

// Whether the tensor's contents are known when the model is compiled: a constant, or a buffer that
// nobody writes.
bool is_constant(const ir::Value& value);

}  // namespace cresset::partitioner
