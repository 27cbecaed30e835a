// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

#include "extensions/module/fixed_module.h"
#include "kernels/registry.h"
#include "schema/program_generated.h"
#include "tests/backend_conformance/heap.h"
#include "tests/user_cases/compiled.h"

// Exactly as much memory as is needed, none from the heap, and files of any content.

namespace cresset::tests {
namespace {

namespace pb = schema::program;

constexpr size_t kUnit = 16;  // what memory is aligned to

// conv(1 -> 4, 3x3), relu, linear(144 -> 3), with weights made up.
constexpr const char* kSmallNet = R"(graph forward(%x: f32[1, 1, 8, 8]) {
    %w = constant "w" : f32[4, 1, 3, 3]
    %v = constant "v" : f32[3, 144]
    %c = convolution(%x, %w, None, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)
    %r = relu(%c)
    %f = view(%r, [1, 144]) : f32[1, 144]
    %y = linear(%f, %v)
    return %y
  })";

// Bytes at a multiple of 16, plus `shift`.
class AlignedBytes {
 public:
  explicit AlignedBytes(size_t size, size_t shift = 0)
      : storage_(size + shift + kUnit, 0xA5), size_(size) {
    const size_t past = reinterpret_cast<uintptr_t>(storage_.data()) % kUnit;
    data_ = storage_.data() + (kUnit - past) % kUnit + shift;
  }
  explicit AlignedBytes(const std::vector<uint8_t>& bytes, size_t shift = 0)
      : AlignedBytes(bytes.size(), shift) {
    std::copy(bytes.begin(), bytes.end(), data_);
  }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  uint8_t* data() { return data_; }
  Span<uint8_t> bytes() { return {data_, size_}; }

 private:
  std::vector<uint8_t> storage_;
  uint8_t* data_;
  size_t size_;
};

MethodOptions portable() {
  static const ops::KernelTable tables[] = {kernels::portable_kernels()};
  MethodOptions options;
  options.kernels = tables;
  options.max_instructions = 1000;
  return options;
}

TEST(UserCases, U44ExactlyTheStatedPoolsSuffice) {
  const auto compiled = compile_text(kSmallNet);
  ASSERT_TRUE(compiled.ok()) << compiled.error().text;
  const std::vector<uint64_t>& stated = compiled->methods[0].arena_bytes;
  AlignedBytes file(compiled->program);
  MemoryLoader loader(file.bytes());
  MessageBuffer<256> message;
  Program program;
  ASSERT_TRUE(ok(program.load(loader, message))) << message.text();
  const MethodMeta meta = *program.method_meta("forward");
  ASSERT_EQ(meta.planned_buffer_count(), stated.size());
  // The pools: the method's arena, then what the compiler's report states.
  std::vector<size_t> sizes = {*method_arena_bytes(program, "forward")};
  sizes.insert(sizes.end(), stated.begin(), stated.end());

  const auto load = [&](const std::vector<size_t>& bytes, Method& method) {
    std::vector<std::unique_ptr<AlignedBytes>> pools;
    std::vector<Span<uint8_t>> planned;
    for (const size_t size : bytes) {
      pools.push_back(std::make_unique<AlignedBytes>(size));
      planned.push_back(pools.back()->bytes());
    }
    const MethodMemory memory = {planned[0], Span<const Span<uint8_t>>(planned).subspan(1)};
    data::HostValue x = iota({1, 1, 8, 8});
    Tensor view = x.get<data::HostTensor>()->view();
    const MethodOptions options = portable();
    const size_t before = heap_allocations();
    Status status = method.load(program, "forward", memory, options, message);
    if (ok(status)) {
      status = method.set_input(0, Value::of_tensor(&view));
    }
    if (ok(status)) {
      status = method.execute();
    }
    const size_t taken = heap_allocations() - before;
    EXPECT_EQ(taken, 0u) << "memory from the heap";
    if (ok(status)) {
      Compiled same(kSmallNet);
      const std::vector<double> want = numbers(same.run({x})[0]);
      const float* const got = method.output(0).as_tensor()->data<float>();
      EXPECT_TRUE(std::equal(want.begin(), want.end(), got));
    }
    return status;
  };
  Method exact;
  EXPECT_TRUE(ok(load(sizes, exact))) << message.text();
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<size_t> less = sizes;
    less[i] -= kUnit;
    Method method;
    EXPECT_FALSE(ok(load(less, method))) << "pool " << i;
    EXPECT_TRUE(says(message.text(), i == 0 ? std::string("method arena")
                                            : "planned buffer " + std::to_string(i - 1)));
    EXPECT_TRUE(says(message.text(), std::to_string(sizes[i])));
    EXPECT_TRUE(says(message.text(), std::to_string(less[i])));
  }
}

TEST(UserCases, U44TheCounterCounts) {
  const size_t before = heap_allocations();
  const auto owned = std::make_unique<std::vector<int>>(100);
  void* volatile block = std::malloc(8);
  std::free(block);
  EXPECT_EQ(heap_allocations() - before, 3u) << owned->size();
}

TEST(UserCases, U44OneBlockOfTheStatedSizeSuffices) {
  const Compiled program(kSmallNet);
  AlignedBytes file(program.program());
  FixedModule sizing;
  ASSERT_FALSE(ok(sizing.load(file.bytes(), {}, portable())));
  const size_t needed = sizing.memory_needed();
  ASSERT_GT(needed, 0u);
  AlignedBytes memory(needed);
  FixedModule exact;
  ASSERT_TRUE(ok(exact.load(file.bytes(), memory.bytes(), portable()))) << exact.error();
  FixedModule short_of_memory;
  ASSERT_FALSE(ok(short_of_memory.load(file.bytes(), {memory.data(), needed - kUnit}, portable())));
  EXPECT_TRUE(says(short_of_memory.error(), std::to_string(needed - kUnit)));
}

// Loads what may be damaged, and runs it where that is accepted: an error with a text, or a run.
class Trial {
 public:
  bool accepts(Span<const uint8_t> bytes) {
    std::memset(memory_.data(), 0xA5, memory_.bytes().size());
    const size_t before = heap_allocations();
    FixedModule module;
    const bool loaded = ok(module.load(bytes, memory_.bytes(), options_));
    if (loaded && module.method().input_count() == 1) {
      view_ = input_.view();
      if (ok(module.method().set_input(0, Value::of_tensor(&view_)))) {
        (void)module.run();
      }
    }
    EXPECT_EQ(heap_allocations() - before, 0u) << "memory from the heap";
    EXPECT_TRUE(loaded || module.error()[0] != 0) << "an error without a text";
    error_ = module.error();
    return loaded;
  }
  const std::string& error() const { return error_; }

 private:
  AlignedBytes memory_{1 << 16};
  MethodOptions options_ = portable();
  data::HostTensor input_{DType::kFloat32, {1, 1, 8, 8}};
  Tensor view_;
  std::string error_;
};

TEST(UserCases, U46FilesCutAnywhere) {
  const Compiled program(kSmallNet);
  const std::vector<uint8_t>& good = program.program();
  Trial trial;
  AlignedBytes file(good);
  ASSERT_TRUE(trial.accepts(file.bytes())) << trial.error();
  for (const size_t size : {0, 8}) {
    EXPECT_FALSE(trial.accepts({file.data(), size})) << size;
  }
  for (size_t size = 0; size < good.size(); ++size) {
    // Behind the cut lies nothing that could be mistaken for the rest.
    AlignedBytes cut(std::vector<uint8_t>(good.begin(), good.begin() + static_cast<long>(size)));
    (void)trial.accepts(cut.bytes());
  }
}

TEST(UserCases, U46FilesWithAnyByteChanged) {
  const Compiled program(kSmallNet);
  Trial trial;
  AlignedBytes file(program.program());
  size_t accepted = 0, refused = 0;
  for (uint8_t& byte : file.bytes()) {
    const uint8_t good = byte;
    for (const uint8_t other : {uint8_t{0}, uint8_t{0xff}, static_cast<uint8_t>(good ^ 0x80)}) {
      byte = other;
      ++(trial.accepts(file.bytes()) ? accepted : refused);
    }
    byte = good;
  }
  EXPECT_GT(accepted, 0u) << "weights and padding may change";
  EXPECT_GT(refused, 0u);
}

TEST(UserCases, U46AProgramAtAnOddAddressIsRefused) {
  const Compiled program(kSmallNet);
  AlignedBytes shifted(program.program(), 1);
  Trial trial;
  EXPECT_FALSE(trial.accepts(shifted.bytes()));
  EXPECT_TRUE(says(trial.error(), "multiple of 16"));
}

// A tensor of rank 4 and a constant, whose parts are overwritten where they lie in the file.
struct Parts {
  explicit Parts(AlignedBytes* file) : bytes(file->bytes()) {
    plan = pb::GetProgram(bytes.data())->execution_plan()->Get(0);
    for (const pb::EValue* value : *plan->values()) {
      const pb::Tensor* const candidate = value->val_as_Tensor();
      if (candidate != nullptr && candidate->sizes()->size() == 4) {
        pb::Tensor*& which = candidate->data_buffer_idx() == 0 ? tensor : constant;
        which = const_cast<pb::Tensor*>(candidate);
      }
    }
  }
  // A vector in the file: its length, then its items.
  static void put_length(const void* vector, uint32_t length) {
    ASSERT_NE(vector, nullptr);
    std::memcpy(const_cast<void*>(vector), &length, sizeof(length));
  }
  template <class T>
  static void put(const void* vector, std::vector<T> items) {
    ASSERT_NE(vector, nullptr);
    std::memcpy(static_cast<uint8_t*>(const_cast<void*>(vector)) + sizeof(uint32_t), items.data(),
                items.size() * sizeof(T));
  }

  Span<uint8_t> bytes;
  const pb::ExecutionPlan* plan;
  pb::Tensor* tensor = nullptr;
  pb::Tensor* constant = nullptr;
};

TEST(UserCases, U46FieldsThatSayTheImpossible) {
  const Compiled compiled(kSmallNet);
  const auto put32 = [](Span<uint8_t> bytes, size_t at, uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  };
  const struct {
    const char* what;
    std::function<void(Parts&)> damage;
  } cases[] = {
      {"identifier", [&](Parts& p) { p.bytes[4] = 'X'; }},
      {"version", [&](Parts& p) { p.bytes[7] = static_cast<uint8_t>(p.bytes[7] + 1); }},
      {"root offset", [&](Parts& p) { put32(p.bytes, 0, static_cast<uint32_t>(p.bytes.size())); }},
      {"root offset far out", [&](Parts& p) { put32(p.bytes, 0, 0xfffffff0); }},
      {"value index", [](Parts& p) { Parts::put<int32_t>(p.plan->inputs(), {9999}); }},
      {"output index", [](Parts& p) { Parts::put<int32_t>(p.plan->outputs(), {9999}); }},
      {"buffer index",
       [](Parts& p) {
         reinterpret_cast<flatbuffers::Table*>(p.constant)
             ->SetField<uint32_t>(pb::Tensor::VT_DATA_BUFFER_IDX, 9999, 0);
       }},
      {"sizes beyond memory",
       [](Parts& p) {
         Parts::put<int32_t>(p.tensor->sizes(), {2147483647, 2, 2, 1});
       }},
      {"sizes beyond 32 bits",
       [](Parts& p) {
         Parts::put<int32_t>(p.tensor->sizes(), {65536, 65536, 1, 1});
       }},
      {"a negative size",
       [](Parts& p) {
         Parts::put<int32_t>(p.tensor->sizes(), {-1, 1, 8, 8});
       }},
      {"10^9 dimensions", [](Parts& p) { Parts::put_length(p.tensor->sizes(), 1000000000); }},
      {"a dimension twice",
       [](Parts& p) {
         Parts::put<uint8_t>(p.tensor->dim_order(), {0, 0, 1, 2});
       }},
  };
  for (const auto& c : cases) {
    AlignedBytes file(compiled.program());
    Parts parts(&file);
    ASSERT_TRUE(parts.tensor != nullptr && parts.constant != nullptr);
    c.damage(parts);
    Trial trial;
    EXPECT_FALSE(trial.accepts(file.bytes())) << c.what;
  }
}

}  // namespace
}  // namespace cresset::tests
