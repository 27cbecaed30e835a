// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "core/span.h"

namespace cresset {

// Where the bytes of a file come from: flash, a mapped file, a network. The runtime asks for few,
// large ranges (the program, the constants, each delegate's data) and never for more than a file's
// headers justify.
//
// Loaded ranges are read-only; one whose offset is a multiple of kDataAlignment starts at such an
// address. They stay valid until release()d or until the loader dies, whichever is first; a loader
// outlives every Program, data map and Method made from it. Implementations need not be
// thread-safe.
class DataLoader {
 public:
  static constexpr size_t kDataAlignment = 16;

  // Size of the whole file in bytes.
  virtual uint64_t size_bytes() const = 0;

  // Bytes [offset, offset + size). A range that leaves the file is kInvalidArgument; bytes that
  // cannot be had are kAccessFailed; no memory for them is kMemoryAllocationFailed.
  virtual Result<Span<const uint8_t>> load(uint64_t offset, size_t size) = 0;

  // Copies bytes [offset, offset + size) to `out`; errors as for load().
  virtual Status load_into(uint64_t offset, size_t size, void* out) = 0;

  // Gives back a range that load() returned. The default keeps it.
  virtual void release(Span<const uint8_t> data) { (void)data; }

 protected:
  ~DataLoader() = default;
};

}  // namespace cresset
