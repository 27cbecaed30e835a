// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/memory_loader.h"

#include <cstring>

namespace cresset {

Result<Span<const uint8_t>> MemoryLoader::load(uint64_t offset, size_t size) {
  if (offset > bytes_.size() || size > bytes_.size() - offset) {
    return Status::kInvalidArgument;
  }
  return bytes_.subspan(static_cast<size_t>(offset), size);
}

Status MemoryLoader::load_into(uint64_t offset, size_t size, void* out) {
  CRESSET_ASSIGN(const Span<const uint8_t> bytes, load(offset, size));
  if (size != 0) {
    std::memcpy(out, bytes.data(), size);
  }
  return Status::kOk;
}

}  // namespace cresset
