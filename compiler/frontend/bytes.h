// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/ir/error.h"
#include "core/span.h"

namespace cresset::frontend {

using ir::Error;
using ir::Expected;

// Immutable bytes and whoever keeps them alive: a mapped file or a heap block. Copies are cheap and
// share the owner, so a view of one weight keeps the whole mapping.
struct SharedBytes {
  Span<const uint8_t> view;
  std::shared_ptr<const void> owner;
  bool mapped = false;  // from a file, unchanged

  size_t size() const { return view.size(); }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }
  // The caller guarantees first + count <= size().
  SharedBytes slice(size_t first, size_t count) const {
    return {view.subspan(first, count), owner, mapped};
  }
};

// `bytes` on the heap, owned by the result.
SharedBytes own_bytes(std::string bytes);

// Unsigned little-endian reads; the caller guarantees that the bytes exist.
inline uint16_t load_u16(const uint8_t* p) { return static_cast<uint16_t>(p[0] | p[1] << 8); }
inline uint32_t load_u32(const uint8_t* p) {
  return static_cast<uint32_t>(load_u16(p)) | static_cast<uint32_t>(load_u16(p + 2)) << 16;
}
inline uint64_t load_u64(const uint8_t* p) {
  return static_cast<uint64_t>(load_u32(p)) | static_cast<uint64_t>(load_u32(p + 4)) << 32;
}

}  // namespace cresset::frontend
