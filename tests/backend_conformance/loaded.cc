// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/loaded.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/registry.h"
#include "tests/backend_conformance/heap.h"

namespace cresset::tests {

namespace {

constexpr uint8_t kPoison = 0xA5;
constexpr uint8_t kGuard = 0x5C;
constexpr size_t kGuardBytes = 64;

}  // namespace

Block::Block(size_t size) : size_(size) {
  const size_t room = (size + kGuardBytes + 63) / 64 * 64;
  memory_.reset(static_cast<uint8_t*>(std::aligned_alloc(64, room)));
  std::memset(memory_.get() + size, kGuard, kGuardBytes);
  poison({});
}

void Block::Free::operator()(uint8_t* bytes) const { std::free(bytes); }

void Block::poison(const std::vector<ByteRange>& kept) {
  size_t at = 0;
  for (const ByteRange& range : kept) {
    std::memset(memory_.get() + at, kPoison, range.offset - at);
    at = range.offset + range.size;
  }
  std::memset(memory_.get() + at, kPoison, size_ - at);
}

bool Block::intact() const {
  return std::all_of(memory_.get() + size_, memory_.get() + size_ + kGuardBytes,
                     [](uint8_t byte) { return byte == kGuard; });
}

ops::KernelTables portable_only() {
  static const ops::KernelTable kTable = kernels::portable_kernels();
  return {&kTable, 1};
}

Loaded::Loaded(const compiler::CompileResult& compiled, Backend* backend, ParallelFor* parallel)
    : file_(compiled.program.size()),
      loader_(Span<const uint8_t>()),
      backend_(backend),
      kernels_(portable_only()),
      parallel_(parallel) {
  std::copy(compiled.program.begin(), compiled.program.end(), file_.bytes().data());
  loader_ = MemoryLoader(file_.bytes());
  const ir::Schedule& schedule = compiled.methods[0];
  kept_.resize(schedule.arena_bytes.size());
  for (const ir::Register& reg : schedule.registers) {
    if (reg.storage == ir::Register::Storage::kState) {
      kept_[reg.arena].push_back({reg.offset_bytes, reg.size_bytes});
    }
  }
  for (std::vector<ByteRange>& ranges : kept_) {
    std::sort(ranges.begin(), ranges.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  }
}

Status Loaded::load_with(size_t arena_bytes) {
  method_.reset();  // before its memory
  arena_bytes_ = arena_bytes;
  arena_ = std::make_unique<Block>(arena_bytes);
  planned_.clear();
  const MethodMeta meta = *program_.method_meta("forward");
  std::vector<Span<uint8_t>> buffers;
  for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
    planned_.emplace_back(meta.planned_buffer_bytes(i));
  }
  for (Block& block : planned_) {
    buffers.push_back(block.bytes());
  }
  MethodOptions options;
  options.kernels = kernels_;
  options.backends = {&backend_, 1};
  options.parallel = parallel_;
  method_ = std::make_unique<Method>();
  return method_->load(program_, "forward", {arena_->bytes(), buffers}, options, message_);
}

Status Loaded::load(size_t less, size_t most) {
  CRESSET_TRY(program_.load(loader_, message_));
  size_t needed = *method_arena_bytes(program_, "forward");
  Status status = load_with(needed);
  if (status == Status::kMemoryAllocationFailed && method_->arena_needed() > needed &&
      method_->arena_needed() <= most) {
    needed = method_->arena_needed();
    status = load_with(needed);
  }
  if (less != 0 && ok(status)) {
    status = load_with(method_->arena_needed() - less);
  }
  CRESSET_TRY(status);
  const MethodMeta meta = *program_.method_meta("forward");
  inputs_.resize(method_->input_count());
  for (size_t i = 0; i < method_->output_count(); ++i) {
    if (meta.output_kind(i) != Value::Kind::kTensor) {
      continue;
    }
    const TensorInfo info = meta.output(i);
    if (!info.planned && !info.constant && !is_input(i)) {
      outputs_.emplace_back(i, Block(info.nbytes));
      CRESSET_TRY(
          method_->set_output_memory(i, outputs_.back().second.bytes().data(), info.nbytes));
    }
  }
  return Status::kOk;
}

// An input passed through, whose memory is the input's.
bool Loaded::is_input(size_t output) const {
  for (size_t i = 0; i < method_->input_count(); ++i) {
    if (&method_->input(i) == &method_->output(output)) {
      return true;
    }
  }
  return false;
}

Status Loaded::run(const Values& given) {
  for (size_t i = 0; i < planned_.size(); ++i) {
    planned_[i].poison(kept_[i]);
  }
  for (auto& [index, block] : outputs_) {
    block.poison({});
  }
  for (size_t i = 0; i < given.size(); ++i) {
    inputs_[i] = std::make_unique<RuntimeValue>(given[i]);
    CRESSET_TRY(method_->set_input(i, inputs_[i]->value()));
  }
  const size_t before = heap_allocations();
  const Status status = method_->execute();
  execute_allocations_ = heap_allocations() - before;
  return status;
}

Values Loaded::outputs() const {
  Values values;
  for (size_t i = 0; i < method_->output_count(); ++i) {
    values.push_back(to_host(method_->output(i)));
  }
  return values;
}

bool Loaded::intact() const {
  const auto good = [](const Block& block) { return block.intact(); };
  return (arena_ == nullptr || good(*arena_)) &&
         std::all_of(planned_.begin(), planned_.end(), good) &&
         std::all_of(outputs_.begin(), outputs_.end(),
                     [&](const auto& output) { return good(output.second); });
}

}  // namespace cresset::tests
