// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/span.h"
#include "runtime/extended_header.h"

namespace cresset {

// What the compiler knows about one dynamic dimension of an input and the program's own fields
// cannot say: the named datum `cresset.input_ranges.<method>` holds such records of six u32 each.
struct InputRange {
  static constexpr size_t kBytes = 24;

  uint32_t input;  // index in the method's inputs
  uint32_t dim;
  uint32_t min;  // the size lies in [min, max]
  uint32_t max;
  uint32_t step;    // and is min plus a multiple of this, at least 1
  uint32_t symbol;  // dimensions with the same number are as many steps above their min

  static size_t count(Span<const uint8_t> records) { return records.size() / kBytes; }
  static InputRange read(Span<const uint8_t> records, size_t index) {
    const uint8_t* at = records.data() + index * kBytes;
    return {read_le32(at),      read_le32(at + 4),  read_le32(at + 8),
            read_le32(at + 12), read_le32(at + 16), read_le32(at + 20)};
  }
};

}  // namespace cresset
