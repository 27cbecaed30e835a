// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/lifecycle.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/backend_conformance/heap.h"

namespace cresset::tests {

namespace {

constexpr size_t kArenaUnit = 16;
constexpr size_t kCycles = 1000;
constexpr int kThreadRounds = 300;
constexpr size_t kDamagedPlaces = 512;
constexpr size_t kMostArena = 1 << 20;  // that a damaged blob is given

// Bytes that end at a page that nobody may touch, as nearly as their alignment allows.
class Guarded {
 public:
  explicit Guarded(size_t capacity) : page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    room_ = (capacity + page_ - 1) / page_ * page_ + page_;
    memory_ = static_cast<uint8_t*>(
        ::mmap(nullptr, room_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(memory_ + room_, page_, PROT_NONE);
  }
  ~Guarded() { ::munmap(memory_, room_ + page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  Span<uint8_t> copy(Span<const uint8_t> bytes) {
    uint8_t* const at = memory_ + room_ - (bytes.size() + 15) / 16 * 16;
    std::copy(bytes.begin(), bytes.end(), at);
    return {at, bytes.size()};
  }

 private:
  size_t page_;
  size_t room_;
  uint8_t* memory_;
};

Span<const uint8_t> blob_of(const Trial& trial) {
  const ir::Constant& blob = *trial.ours.methods[0].delegates[0].blob;
  return {blob.bytes, blob.size_bytes};
}

std::string arena(const Subject& subject, const Trial& trial) {
  Loaded exact(trial.ours, subject.runtime);
  if (!ok(exact.load())) {
    return fmt::format("an arena of exactly what is asked for: {}", exact.text());
  }
  const size_t needed = exact.arena_bytes();
  Loaded less(trial.ours, subject.runtime);
  const Status status = less.load(kArenaUnit);
  if (status != Status::kMemoryAllocationFailed) {
    return fmt::format("an arena of {} bytes less than the {} needed: {}", kArenaUnit, needed,
                       ok(status) ? "accepted" : less.text());
  }
  return less.intact() && exact.intact() ? "" : "memory behind the arena was written";
}

// Loads with another blob. Empty where it is refused with one of the right errors, or, where it
// may be accepted, runs without a crash.
std::string load_damaged(const Subject& subject, const Trial& trial, Span<const uint8_t> blob,
                         bool must_fail, bool incompatible) {
  Interposer between(*subject.runtime);
  between.change_blob = [&](Span<const uint8_t>) { return blob; };
  Loaded loaded(trial.ours, &between);
  if (ok(loaded.load(0, kMostArena))) {
    if (must_fail) {
      return "accepted";
    }
    static_cast<void>(loaded.run(trial.model.runs[0]));
    return loaded.intact() ? "" : "accepted, and memory behind a tensor was written";
  }
  if (incompatible && between.init_status != Status::kDelegateInvalidCompatibility) {
    return fmt::format("refused with {}, not as incompatible", status_text(between.init_status));
  }
  const bool explained =
      between.init_status == Status::kMemoryAllocationFailed || !between.init_text.empty();
  return ok(between.init_status) || explained ? "" : "refused without a message";
}

std::string truncated_blob(const Subject& subject, const Trial& trial) {
  const Span<const uint8_t> blob = blob_of(trial);
  Guarded guarded(blob.size());
  const size_t step = std::max<size_t>(1, blob.size() / kDamagedPlaces);
  for (size_t size = 0; size < blob.size(); size += step) {
    const std::string why =
        load_damaged(subject, trial, guarded.copy({blob.data(), size}), true, false);
    if (!why.empty()) {
      return fmt::format("blob cut to {} of {} bytes: {}", size, blob.size(), why);
    }
  }
  return "";
}

std::string other_version(const Subject& subject, const Trial& trial) {
  const Span<const uint8_t> blob = blob_of(trial);
  Guarded guarded(blob.size());
  for (size_t at = 0; at < 8 && at < blob.size(); ++at) {
    const Span<uint8_t> damaged = guarded.copy(blob);
    damaged.data()[at] ^= 0x41;
    const std::string why = load_damaged(subject, trial, damaged, true, true);
    if (!why.empty()) {
      return fmt::format("byte {} (of magic and version) altered: {}", at, why);
    }
  }
  return "";
}

std::string damaged_blob(const Subject& subject, const Trial& trial) {
  const Span<const uint8_t> blob = blob_of(trial);
  Guarded guarded(blob.size());
  const size_t step = std::max<size_t>(1, blob.size() / kDamagedPlaces);
  for (size_t at = 0; at < blob.size(); at += step) {
    for (const uint8_t flip : {0x01, 0x80, 0xff}) {
      const Span<uint8_t> damaged = guarded.copy(blob);
      damaged.data()[at] ^= flip;
      const std::string why = load_damaged(subject, trial, damaged, false, false);
      if (!why.empty()) {
        return fmt::format("byte {} altered: {}", at, why);
      }
    }
  }
  return "";
}

// A way to call execute wrongly.
struct WrongCall {
  const char* what;
  // Changes the call; `spare` is for a tensor in the place of the first.
  void (*change)(std::vector<Value>& args, std::vector<std::unique_ptr<LocalTensor>>& spare,
                 uint8_t* memory, size_t bytes);
};

bool replace_tensor(std::vector<Value>& args, size_t i,
                    std::vector<std::unique_ptr<LocalTensor>>& spare, DType dtype,
                    const std::vector<int32_t>& sizes, uint8_t* memory, size_t bytes) {
  size_t needed = 0;
  if (!tensor_bytes(dtype, {sizes.data(), sizes.size()}, &needed) || needed > bytes) {
    return false;
  }
  spare.push_back(std::make_unique<LocalTensor>(
      dtype, Span<const int32_t>(sizes.data(), sizes.size()), memory, bytes));
  args[i] = Value::of_tensor(&**spare.back());
  return true;
}

std::vector<int32_t> sizes_of(const Tensor& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

constexpr WrongCall kWrongCalls[] = {
    {"one argument less", [](auto& args, auto&, uint8_t*, size_t) { args.pop_back(); }},
    {"another dtype",
     [](auto& args, auto& spare, uint8_t* memory, size_t bytes) {
       const Tensor& first = *args[0].as_tensor();
       const DType other = first.dtype() == DType::kFloat64 ? DType::kInt64 : DType::kFloat64;
       replace_tensor(args, 0, spare, other, sizes_of(first), memory, bytes);
     }},
    {"another rank",
     [](auto& args, auto& spare, uint8_t* memory, size_t bytes) {
       std::vector<int32_t> sizes = sizes_of(*args[0].as_tensor());
       sizes.insert(sizes.begin(), 2);
       replace_tensor(args, 0, spare, args[0].as_tensor()->dtype(), sizes, memory, bytes);
     }},
    {"sizes beyond their bounds",
     [](auto& args, auto& spare, uint8_t* memory, size_t bytes) {
       for (size_t i = 0; i + 1 < args.size(); ++i) {
         std::vector<int32_t> sizes = sizes_of(*args[i].as_tensor());
         for (int32_t& size : sizes) {
           size = 2 * size + 1;
         }
         replace_tensor(args, i, spare, args[i].as_tensor()->dtype(), sizes, memory, bytes);
       }
     }},
    {"a number in a tensor's place",
     [](auto& args, auto&, uint8_t*, size_t) { args[0] = Value::of_int(1); }},
};

std::string wrong_arguments(const Subject& subject, const Trial& trial) {
  constexpr size_t kRoom = 4 << 20;
  std::vector<uint8_t> memory(kRoom);
  for (const WrongCall& wrong : kWrongCalls) {
    Interposer between(*subject.runtime);
    std::string why;
    between.run_instead = [&](const DelegateRun& run, void* handle, Span<Value* const> args) {
      std::vector<Value> changed;
      for (Value* value : args) {
        changed.push_back(*value);
      }
      std::vector<std::unique_ptr<LocalTensor>> spare;
      wrong.change(changed, spare, memory.data(), memory.size());
      std::vector<Value*> pointers;
      for (Value& value : changed) {
        pointers.push_back(&value);
      }
      const Tensor& out = *args[args.size() - 1]->as_tensor();
      const auto* bytes = static_cast<const uint8_t*>(out.raw_data());
      const std::vector<uint8_t> before(bytes, bytes + out.nbytes());
      const Status status =
          subject.runtime->execute(run, handle, {pointers.data(), pointers.size()});
      why = ok(status)                   ? "accepted"
            : run.message->length() == 0 ? "refused without a message"
            : std::memcmp(bytes, before.data(), before.size()) != 0
                ? "refused, but an output was written"
                : "";
      return Status::kOk;
    };
    Loaded loaded(trial.ours, &between);
    if (!ok(loaded.load()) || !ok(loaded.run(trial.model.runs[0]))) {
      return loaded.text();
    }
    if (!why.empty()) {
      return fmt::format("execute with {}: {}", wrong.what, why);
    }
    // The next call starts afresh.
    between.run_instead = nullptr;
    if (!ok(loaded.run(trial.model.runs[0]))) {
      return fmt::format("the call after one with {}: {}", wrong.what, loaded.text());
    }
    if (why = difference(loaded.outputs(), (*references(trial))[0], trial.model.exact);
        !why.empty()) {
      return fmt::format("the call after one with {}: {}", wrong.what, why);
    }
  }
  return "";
}

std::string cycles(const Subject& subject, const Trial& trial) {
  Interposer between(*subject.runtime);
  int64_t before = 0;
  for (size_t i = 0; i < kCycles; ++i) {
    {
      Loaded loaded(trial.ours, &between);
      if (!ok(loaded.load()) || !ok(loaded.run(trial.model.runs[0]))) {
        return fmt::format("cycle {}: {}", i, loaded.text());
      }
    }
    if (i == 9) {
      before = heap_blocks();
    }
  }
  const int64_t more = heap_blocks() - before;
  if (more > static_cast<int64_t>(kCycles / 100)) {
    return fmt::format("{} heap blocks left behind by {} cycles of load and unload", more, kCycles);
  }
  return between.alive == 0 && between.aligned ? "" : "delegates made and destroyed do not match";
}

std::string threads(const Subject& subject, const Trial& trial) {
  const auto wanted = references(trial);
  std::string why[2];
  std::atomic<int> rounds[2] = {};
  std::atomic<bool> failed = false;
  const auto work = [&](size_t which) {
    Loaded loaded(trial.ours, subject.runtime);
    if (!ok(loaded.load())) {
      why[which] = loaded.text();
      failed = true;
      return;
    }
    // Until both have done their share, so that they run beside each other.
    while (!failed && (rounds[0] < kThreadRounds || rounds[1] < kThreadRounds)) {
      why[which] = ok(loaded.run(trial.model.runs[which]))
                       ? difference(loaded.outputs(), (*wanted)[which], trial.model.exact)
                       : loaded.text();
      failed = failed || !why[which].empty();
      ++rounds[which];
    }
  };
  // State would go on from call to call.
  if (!trial.model.graph->buffers.empty() || wanted->size() < 2) {
    return "";
  }
  std::thread second(work, 1);
  work(0);
  second.join();
  return why[0].empty() ? why[1] : why[0];
}

// Pieces of one iteration, the last first.
class Backwards final : public ParallelFor {
 public:
  void run(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) override {
    const int64_t piece = std::max<int64_t>(grain, 1);
    for (int64_t first = (count - 1) / piece * piece; first >= 0; first -= piece) {
      body(first, std::min(count, first + piece));
    }
  }
};

std::string parallel(const Subject& subject, const Trial& trial) {
  Backwards backwards;
  const auto wanted = references(trial);
  Loaded loaded(trial.ours, subject.runtime, &backwards);
  if (!ok(loaded.load())) {
    return loaded.text();
  }
  for (size_t i = 0; i < wanted->size(); ++i) {
    if (!ok(loaded.run(trial.model.runs[i]))) {
      return loaded.text();
    }
    if (const std::string why = difference(loaded.outputs(), (*wanted)[i], trial.model.exact);
        !why.empty()) {
      return fmt::format("call {}: {}", i, why);
    }
  }
  return "";
}

}  // namespace

const std::vector<std::pair<const char*, LifecycleCheck>>& lifecycle_checks() {
  static const std::vector<std::pair<const char*, LifecycleCheck>> kChecks = {
      {"arena", arena},
      {"truncated blob", truncated_blob},
      {"other version", other_version},
      {"damaged blob", damaged_blob},
      {"wrong arguments", wrong_arguments},
      {"1,000 cycles", cycles},
      {"two threads", threads},
      {"pieces of loops in any order", parallel}};
  return kChecks;
}

std::string run_beside(const Subject& subject, const Trial& one, const Trial& other) {
  const auto wanted = references(one);
  Loaded first(one.ours, subject.runtime), second(other.ours, subject.runtime);
  if (!ok(first.load()) || !ok(second.load())) {
    return fmt::format("load: {}{}", first.text(), second.text());
  }
  for (size_t i = 0; i < wanted->size(); ++i) {
    if (!ok(second.run(other.model.runs[i % other.model.runs.size()]))) {
      return second.text();
    }
    if (!ok(first.run(one.model.runs[i]))) {
      return first.text();
    }
    if (const std::string why = difference(first.outputs(), (*wanted)[i], one.model.exact);
        !why.empty()) {
      return fmt::format("beside another program, call {}: {}", i, why);
    }
  }
  return "";
}

}  // namespace cresset::tests
