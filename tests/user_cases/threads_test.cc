// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "extensions/module/module.h"
#include "extensions/threads/thread_pool.h"
#include "kernels/registry.h"
#include "tests/user_cases/compiled.h"

namespace cresset::tests {
namespace {

constexpr const char* kConvolution = R"(graph forward(%x: f32[2, 5, 13, 7]) {
    %w = constant "w" : f32[11, 5, 3, 3]
    %c = convolution(%x, %w, None, [1, 1], [1, 1], [1, 1], false, [0, 0], 1)
    %s = sigmoid(%c)
    %y = mean_dim(%s, [2, 3])
    return %y
  })";

constexpr const char* kRecurrent = R"(graph forward(%x: f32[2, 5, 1]) {
    %wi = constant "wi" : f32[12, 1]
    %wh = constant "wh" : f32[12, 3]
    %h0 = full([1, 2, 3], 0, dtype=f32)
    %y, %h, %c = lstm_input(%x, [%h0, %h0], [%wi, %wh], false, 1, 0.0, false, false, true) : (f32[2, 5, 3], f32[1, 2, 3], f32[1, 2, 3])
    return %y, %h, %c
  })";

std::unique_ptr<Module> load(const char* text, ParallelFor* parallel) {
  auto compiled = compile_text(text);
  if (!compiled.ok()) {
    ADD_FAILURE() << compiled.error().text;
    return nullptr;
  }
  ModuleOptions options;
  options.kernels = {kernels::portable_kernels()};
  options.parallel = parallel;
  auto module = Module::from_bytes(data::FileBytes::own(compiled->program), "test", options);
  EXPECT_TRUE(module.ok());
  return module.ok() ? std::move(*module) : nullptr;
}

// Whether every run gives the bytes of the first; those go to `result`.
bool steady(const char* text, int pool_size, int runs, const data::HostValue& x, Values* result) {
  ThreadPool pool(pool_size);
  const std::unique_ptr<Module> module = load(text, &pool);
  bool same = module != nullptr;
  for (int i = 0; same && i < runs; ++i) {
    const auto out = module->forward({x});
    same = out.ok();
    for (size_t k = 0; same && i > 0 && k < out->size(); ++k) {
      same = numbers((*out)[k]) == numbers((*result)[k]);
    }
    if (same && i == 0) {
      *result = *out;
    }
  }
  return same;  // method, then pool go while idle
}

TEST(UserCases, U55TwoThreadsWithAModuleEach) {
  const data::HostValue image = pattern({2, 5, 13, 7}, 13, 8);
  const data::HostValue series = pattern({2, 5, 1});
  Values image_alone, series_alone;
  ASSERT_TRUE(steady(kConvolution, 1, 2, image, &image_alone));
  ASSERT_TRUE(steady(kRecurrent, 1, 2, series, &series_alone));
  for (const int pool_size : {1, 2, 4}) {
    Values first, second;
    bool other_steady = false;
    std::thread other([&] { other_steady = steady(kRecurrent, pool_size, 1000, series, &second); });
    EXPECT_TRUE(steady(kConvolution, pool_size, 1000, image, &first));
    other.join();
    EXPECT_TRUE(other_steady);
    EXPECT_EQ(numbers(first[0]), numbers(image_alone[0])) << pool_size;
    for (size_t i = 0; i < series_alone.size(); ++i) {
      EXPECT_EQ(numbers(second[i]), numbers(series_alone[i])) << pool_size;
    }
  }
}

}  // namespace
}  // namespace cresset::tests
