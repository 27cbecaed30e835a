// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/fixed_module.h"

namespace cresset {

Status FixedModule::load(Span<const uint8_t> program, Span<uint8_t> memory,
                         const MethodOptions& options, const char* method) {
  loader_ = MemoryLoader(program);
  CRESSET_TRY(program_.load(loader_, message_));
  const Result<MethodMeta> meta = program_.method_meta(method);
  if (!meta.ok()) {
    return message_.fail(meta.status(), "no method {}", method);
  }
  const size_t count = meta->planned_buffer_count();
  if (count > kMaxBuffers) {
    return message_.fail(Status::kNotSupported, "{} planned buffers, at most {}", count,
                         kMaxBuffers);
  }
  // Planned buffers first, so that what is left over is the arena's.
  Arena arena(memory);
  for (size_t i = 0; i < count; ++i) {
    const size_t bytes = meta->planned_buffer_bytes(i);
    planned_[i] = {static_cast<uint8_t*>(arena.allocate(bytes, kAlignment)), bytes};
  }
  (void)arena.allocate(0, kAlignment);
  const size_t used = arena.used();
  CRESSET_ASSIGN(const size_t tables,
                 method_arena_bytes(program_, method, options.events != nullptr));
  memory_needed_ = used + tables;
  if (used > memory.size() || tables > memory.size() - used) {
    return message_.fail(Status::kMemoryAllocationFailed,
                         "method {} needs {} bytes ({} planned, {} for its arena), given {}",
                         method, memory_needed_, used, tables, memory.size());
  }
  const Status status =
      method_.load(program_, method, {memory.subspan(used), {planned_, count}}, options, message_);
  memory_needed_ = used + method_.arena_needed();
  return status;
}

Status FixedModule::set_input(size_t index, const Tensor& tensor) {
  Tensor handle = tensor;
  return method_.set_input(index, Value::of_tensor(&handle));
}

}  // namespace cresset
