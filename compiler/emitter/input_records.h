// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/schedule.h"

namespace cresset::emitter {

// What the sizes of a method's inputs must fulfil: the bytes of two named data (schema/FORMAT.md,
// "Input ranges" and "Input relations"). Either may be empty.
struct InputRecords {
  std::vector<uint8_t> ranges;
  std::vector<uint8_t> relations;
};

InputRecords describe_inputs(const ir::Schedule& schedule);

void put_u32(std::vector<uint8_t>* out, uint64_t value);  // UINT32_MAX where it is larger

}  // namespace cresset::emitter
