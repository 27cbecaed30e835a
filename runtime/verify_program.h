// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/message.h"
#include "runtime/extended_header.h"
#include "runtime/flat_program.h"

namespace cresset {

// Checks the meaning of a program whose FlatBuffer is structurally valid: every index, size, offset
// and range, so that what reads it afterwards need not. `file_size` in bytes. Time is linear in the
// size of the FlatBuffer even where tables are shared many times. Not for other rooms.
Status verify_program(const fb::Program& program, const ExtendedHeader& header, uint64_t file_size,
                      Message& message);

}  // namespace cresset
