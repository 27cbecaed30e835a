// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/status.h"

namespace cresset {

// The header that a program file carries behind its first eight bytes when it has segments
// (schema/FORMAT.md). All numbers count bytes from the start of the file.
struct ExtendedHeader {
  static constexpr size_t kOffset = 8;  // where the header starts
  static constexpr size_t kHeadBytes =
      64;  // leading bytes that parse() wants, fewer if the file ends

  bool present = false;
  uint64_t program_size = 0;         // the FlatBuffer, this header included
  uint64_t segment_base_offset = 0;  // where segment offsets count from
  uint64_t segment_data_size = 0;    // end of the last segment from there; 0: not stated

  // Reads the header from the first `size` bytes of a file of `file_size` bytes. Without one, `out`
  // has present = false, the whole file as program and no segments. kInvalidProgram: a header whose
  // numbers do not fit the file. `why` is then a short static text.
  static Status parse(const uint8_t* head, size_t size, uint64_t file_size, ExtendedHeader* out,
                      const char** why);
};

// The unsigned little-endian number at `bytes`.
uint32_t read_le32(const uint8_t* bytes);
uint64_t read_le64(const uint8_t* bytes);

}  // namespace cresset
