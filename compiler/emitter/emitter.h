// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/schedule.h"

namespace cresset::emitter {

struct EmitOptions {
  // State whose initial bytes are all zero is left out of the file: our runtime clears it at load.
  // ExecuTorch's does not.
  bool zero_state_is_implied = true;
  // Constants go to a data file (.ptd) instead, under their fully qualified names.
  bool external_constants = false;
};

struct EmittedFiles {
  std::vector<uint8_t> program;  // a .pte file
  std::vector<uint8_t> data;     // a .ptd file, where constants are external
  uint64_t constant_bytes = 0;   // in either
};

// Writes methods as one program file (schema/FORMAT.md). Equal constants are stored once. The same
// schedules give the same bytes.
ir::Expected<EmittedFiles> emit(const std::vector<ir::Schedule>& methods,
                                const EmitOptions& options);

}  // namespace cresset::emitter
