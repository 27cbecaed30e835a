// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "runtime/flat_program.h"

namespace cresset {

// How many entries the tables of a loaded method have. Not for other rooms.
struct TableCounts {
  size_t values = 0;
  size_t tensors = 0;
  size_t strides = 0;  // over all tensors
  size_t sizes = 0;    // over the tensors whose sizes may change
  size_t int_lists = 0;
  size_t ints = 0;          // over all int lists
  size_t tensor_items = 0;  // over all tensor lists
  size_t chains = 0;
  size_t steps = 0;
  size_t args = 0;
  size_t operators = 0;
  size_t delegates = 0;
  size_t inputs = 0;
  size_t name_bytes = 0;  // of the joined operator names; 0 where nobody wants them

  // The plan must be verified.
  static TableCounts of(const fb::ExecutionPlan& plan, bool with_names);

  // Bytes of all tables from a multiple of 16, in the order that MethodLoader allocates them, on a
  // machine with pointers of 4 or 8 bytes.
  size_t bytes(size_t pointer_bytes) const;
};

}  // namespace cresset
