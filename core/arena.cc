// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/arena.h"

namespace cresset {

void* Arena::allocate(size_t bytes, size_t alignment) {
  const uintptr_t base = reinterpret_cast<uintptr_t>(memory_.data());
  const size_t padding = (alignment - (base + used_) % alignment) % alignment;
  if (bytes > SIZE_MAX - padding - used_) {
    used_ = SIZE_MAX;
    return nullptr;
  }
  const size_t start = used_ + padding;
  used_ = start + bytes;
  return used_ <= memory_.size() && memory_.data() != nullptr ? memory_.data() + start : nullptr;
}

}  // namespace cresset
