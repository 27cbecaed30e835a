// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "core/span.h"

namespace cresset {

// A bump allocator over memory that the caller owns. Nothing is freed one by one. Not thread-safe.
// An arena without memory (default constructed) only counts: used() then says what would be needed.
class Arena {
 public:
  Arena() = default;
  explicit Arena(Span<uint8_t> memory) : memory_(memory) {}

  // `bytes` bytes at a multiple of `alignment` (a power of two); null when they do not fit. The
  // need is added to used() either way, so that a failed load can say how much would have been
  // enough (up to the alignment of the memory itself).
  void* allocate(size_t bytes, size_t alignment = alignof(max_align_t));

  // Room for `count` T, default-initialised where T has a constructor; null when they do not fit.
  template <class T>
  T* allocate_array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena runs no destructors");
    if (count > SIZE_MAX / sizeof(T)) {
      used_ = SIZE_MAX;
      return nullptr;
    }
    T* array = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    for (size_t i = 0; array != nullptr && i < count; ++i) {
      ::new (static_cast<void*>(array + i)) T();
    }
    return array;
  }

  size_t used() const { return used_; }
  size_t capacity() const { return memory_.size(); }

 private:
  Span<uint8_t> memory_;
  size_t used_ = 0;
};

}  // namespace cresset
