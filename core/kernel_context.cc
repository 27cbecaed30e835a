// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/kernel_context.h"

namespace cresset {

Status KernelContext::scratch(size_t bytes, void** memory) {
  const uintptr_t base = reinterpret_cast<uintptr_t>(scratch_.data());
  const size_t padding = (16 - base % 16) % 16;
  if (bytes > scratch_.size() || padding > scratch_.size() - bytes) {
    return fail(Status::kMemoryAllocationFailed, "needs {} bytes of scratch memory, given {}",
                bytes, scratch_.size());
  }
  *memory = scratch_.data() + padding;
  return Status::kOk;
}

void KernelContext::parallel_for(int64_t count, int64_t grain,
                                 FunctionRef<void(int64_t, int64_t)> body) {
  if (count <= 0) {
    return;
  }
  if (parallel_ == nullptr || count <= grain) {
    body(0, count);
  } else {
    parallel_->run(count, grain, body);
  }
}

}  // namespace cresset
