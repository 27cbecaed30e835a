// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/message.h"
#include "core/result.h"
#include "core/span.h"
#include "runtime/data_loader.h"
#include "runtime/extended_header.h"
#include "runtime/method_meta.h"
#include "runtime/named_data.h"

namespace cresset {

namespace schema::program {
struct ExecutionPlan;
struct Program;
}  // namespace schema::program

// A program file (.pte), read and verified. load() checks everything that does not depend on the
// kernels and backends at hand, so that a Method can be made from it without looking twice: a
// damaged or hostile file costs time linear in its size and no memory beyond what the loader hands
// out. After load() it is immutable; methods of several threads may share it.
class Program final : public NamedDataMap {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Reads the program behind `loader`, which must outlive this. kInvalidProgram and the like, with
  // the reason in `message`, where the file is not one that we can run. May be called again after
  // it failed.
  Status load(DataLoader& loader, Message& message);

  bool loaded() const { return flat_ != nullptr; }
  size_t method_count() const;
  const char* method_name(size_t index) const;
  // kNotFound: no method of that name.
  Result<MethodMeta> method_meta(const char* name) const;
  MethodMeta method_meta(size_t index) const;

  // The data that the program carries by name. Values load on find().
  size_t count() const override;
  const char* key(size_t index) const override;
  Result<NamedDatum> find(const char* key) const override;

  // What Method needs; all are views into the file.
  const schema::program::Program& flat() const { return *flat_; }
  const schema::program::ExecutionPlan* plan(const char* name) const;
  // Constant `index` > 0; null for one that starts behind its segment. At least `bytes` long, as
  // was verified.
  const uint8_t* constant(uint32_t index) const;
  // Copies initial state `index` > 0 to `out`.
  Status load_state(uint32_t index, size_t bytes, void* out) const;
  Result<Span<const uint8_t>> load_segment(uint32_t index) const;
  void release(Span<const uint8_t> segment) const { loader_->release(segment); }

 private:
  Status load_flat(Message& message);

  DataLoader* loader_ = nullptr;
  const schema::program::Program* flat_ = nullptr;
  ExtendedHeader header_;
  Span<const uint8_t> constants_;
};

}  // namespace cresset
