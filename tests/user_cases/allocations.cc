// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/user_cases/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace cresset::tests {

namespace {

std::atomic<size_t> count{0};

}  // namespace

size_t allocations() { return count; }

}  // namespace cresset::tests

using cresset::tests::count;

extern "C" {

void* __real_malloc(size_t size);
void* __real_calloc(size_t number, size_t size);
void* __real_realloc(void* block, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size) {
  ++count;
  return __real_malloc(size);
}
void* __wrap_calloc(size_t number, size_t size) {
  ++count;
  return __real_calloc(number, size);
}
void* __wrap_realloc(void* block, size_t size) {
  ++count;
  return __real_realloc(block, size);
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  ++count;
  return __real_aligned_alloc(alignment, size);
}

}  // extern "C"

// All forms but those with an alignment: sanitizers bring their own where one is missing, and do
// not let them be mixed.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return __real_malloc(size == 0 ? 1 : size);
}
void* operator new(size_t size) {
  void* const block = operator new(size, std::nothrow);
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  return block;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
