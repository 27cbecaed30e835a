// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel_context.h"
#include "core/message.h"
#include "core/tensor.h"

namespace cresset::kernels::portable {

// A tensor of T with its own memory; `values` in the order of that memory.
template <class T>
struct TestTensor {
  TestTensor(std::vector<int32_t> sizes, std::vector<T> values, std::vector<uint8_t> order = {})
      : memory(std::move(values)),
        tensor(kDTypeOf<T>, sizes, memory.data(), memory.size() * sizeof(T), order) {}
  Tensor& operator*() { return *tensor; }
  Tensor* operator->() { return &*tensor; }

  std::vector<T> memory;
  LocalTensor tensor;
};

// 0, 1, 2, ... `count` of them.
template <class T>
std::vector<T> counting(size_t count) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(i);
  }
  return values;
}

// A kernel context with a message and scratch memory.
class KernelTest : public testing::Test {
 protected:
  std::string error() const { return message_.text(); }

  char text_[256] = {};
  Message message_{text_};
  alignas(16) uint8_t scratch_[4096] = {};
  KernelContext context_{&message_, Span<uint8_t>(scratch_)};
};

}  // namespace cresset::kernels::portable
