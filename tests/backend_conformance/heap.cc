// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/heap.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace cresset::tests {

namespace {

std::atomic<size_t> taken{0};
std::atomic<int64_t> held{0};

void* count(void* block) {
  if (block != nullptr) {
    ++taken;
    ++held;
  }
  return block;
}

}  // namespace

size_t heap_allocations() { return taken; }
int64_t heap_blocks() { return held; }

}  // namespace cresset::tests

using cresset::tests::count;
using cresset::tests::held;

extern "C" {

void* __real_malloc(size_t size);
void* __real_calloc(size_t number, size_t size);
void* __real_realloc(void* block, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* block);

void* __wrap_malloc(size_t size) { return count(__real_malloc(size)); }
void* __wrap_calloc(size_t number, size_t size) { return count(__real_calloc(number, size)); }
void* __wrap_realloc(void* block, size_t size) {
  held -= block != nullptr ? 1 : 0;
  return count(__real_realloc(block, size));
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  return count(__real_aligned_alloc(alignment, size));
}
void __wrap_free(void* block) {
  held -= block != nullptr ? 1 : 0;
  __real_free(block);
}

}  // extern "C"

// All forms but those with an alignment: sanitizers bring their own where one is missing, and do
// not let them be mixed.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return count(__real_malloc(size == 0 ? 1 : size));
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
void operator delete(void* block) noexcept { __wrap_free(block); }
void operator delete(void* block, size_t) noexcept { __wrap_free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { __wrap_free(block); }
void operator delete[](void* block) noexcept { __wrap_free(block); }
void operator delete[](void* block, size_t) noexcept { __wrap_free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { __wrap_free(block); }
