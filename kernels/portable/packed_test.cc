// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/portable/kernels.h"

// qlinear_dynamic, qlinear_weight and qembedding against docs/quantization.md, one number at a
// time.
namespace cresset::kernels::portable {
namespace {

struct Packed {
  int64_t rows, columns, bits, group;
  std::vector<int8_t> numbers, zeros;
  std::vector<float> scales;
  std::vector<uint8_t> bytes;

  int64_t groups() const { return group == 0 ? 1 : (columns + group - 1) / group; }
  int64_t line() const { return (columns * bits + 7) / 8; }
  double difference(int64_t row, int64_t k) const {
    return numbers[static_cast<size_t>(row * columns + k)] - zeros[place(row, k)];
  }
  float scale(int64_t row, int64_t k) const { return scales[place(row, k)]; }
  size_t place(int64_t row, int64_t k) const {
    return static_cast<size_t>(row * groups() + (group == 0 ? 0 : k / group));
  }

  Packed(int64_t n, int64_t k, int64_t width, int64_t size, std::mt19937* random)
      : rows(n), columns(k), bits(width), group(size) {
    const auto number = [&](int64_t b) {
      return static_cast<int8_t>(std::uniform_int_distribution<int64_t>(
          -(int64_t{1} << (b - 1)), (int64_t{1} << (b - 1)) - 1)(*random));
    };
    for (int64_t i = 0; i < rows * columns; ++i) {
      numbers.push_back(number(bits));
    }
    for (int64_t i = 0; i < rows * groups(); ++i) {
      zeros.push_back(number(8));
      scales.push_back(0.001f * static_cast<float>(i % 13 + 1));
    }
    bytes.resize(static_cast<size_t>(rows * line()));
    for (int64_t i = 0; i < rows * columns; ++i) {
      const int64_t column = i % columns, bit = column * bits;
      bytes[static_cast<size_t>(i / columns * line() + bit / 8)] |= static_cast<uint8_t>(
          (static_cast<unsigned>(static_cast<uint8_t>(numbers[static_cast<size_t>(i)])) &
           ((1u << bits) - 1))
          << bit % 8);
    }
  }
};

class PackedRows : public testing::TestWithParam<int> {
 protected:
  std::mt19937 random_{7};
  Message message_;
  KernelContext context_{&message_};

  template <class F>
  void for_each_shape(F&& f) {
    for (const int64_t columns : {1, 7, 64, 130}) {
      for (const int64_t group : {0, 3, 32, 200}) {
        f(Packed(19, columns, GetParam(), group, &random_));
      }
    }
  }
  LocalTensor matrix(DType dtype, int64_t rows, int64_t columns, void* data, size_t bytes) {
    const int32_t sizes[] = {static_cast<int32_t>(rows), static_cast<int32_t>(columns)};
    return LocalTensor(dtype, sizes, data, bytes);
  }
};

TEST_P(PackedRows, Products) {
  for_each_shape([&](Packed w) {
    constexpr int64_t kRows = 5;
    std::vector<float> x(static_cast<size_t>(kRows * w.columns)), bias(19), y(kRows * 19);
    for (float& v : x) {
      v = std::uniform_real_distribution<float>(-3, 5)(random_);
    }
    for (float& v : bias) {
      v = std::uniform_real_distribution<float>(-1, 1)(random_);
    }
    const int32_t bias_sizes[] = {19};
    LocalTensor in = matrix(DType::kFloat32, kRows, w.columns, x.data(), x.size() * 4);
    LocalTensor weight = matrix(w.bits == 8 ? DType::kInt8 : DType::kUInt8, 19, w.line(),
                                w.bytes.data(), w.bytes.size());
    LocalTensor scale =
        matrix(DType::kFloat32, 19, w.groups(), w.scales.data(), w.scales.size() * 4);
    LocalTensor zero = matrix(DType::kInt8, 19, w.groups(), w.zeros.data(), w.zeros.size());
    LocalTensor added(DType::kFloat32, bias_sizes, bias.data(), bias.size() * 4);
    LocalTensor out = matrix(DType::kFloat32, kRows, 19, y.data(), y.size() * 4);
    ASSERT_EQ(
        qlinear_weight(context_, *in, *weight, *scale, &*zero, &*added, w.bits, w.group, *out),
        Status::kOk);
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t n = 0; n < 19; ++n) {
        double sum = bias[static_cast<size_t>(n)], size = 1;
        for (int64_t k = 0; k < w.columns; ++k) {
          const double term = static_cast<double>(x[static_cast<size_t>(r * w.columns + k)]) *
                              w.difference(n, k) * static_cast<double>(w.scale(n, k));
          sum += term;
          size += std::abs(term);
        }
        EXPECT_NEAR(static_cast<double>(y[static_cast<size_t>(r * 19 + n)]), sum, size * 1e-6);
      }
    }
    for (const char* per : {"tensor", "token"}) {
      ASSERT_EQ(qlinear_dynamic(context_, *in, *weight, *scale, &*zero, &*added, w.bits, w.group,
                                per, false, -128, 127, 1e-7, *out),
                Status::kOk);
      const bool whole = per[1] == 'e';
      for (int64_t r = 0; r < kRows; ++r) {
        const auto from = x.begin() + (whole ? 0 : r * w.columns);
        const auto to = whole ? x.end() : from + w.columns;
        const float low = std::min(0.0f, *std::min_element(from, to));
        const float high = std::max(0.0f, *std::max_element(from, to));
        const float unit = (high - low) / 255;
        const float origin = std::clamp(-128 - std::nearbyint(low / unit), -128.0f, 127.0f);
        for (int64_t n = 0; n < 19; ++n) {
          float sum = 0;
          int64_t integers = 0;
          for (int64_t k = 0; k < w.columns; ++k) {
            const float v = x[static_cast<size_t>(r * w.columns + k)];
            const float q =
                std::clamp(std::nearbyint(v * (1 / unit)) + origin, -128.0f, 127.0f) - origin;
            integers += static_cast<int64_t>(q) * static_cast<int64_t>(w.difference(n, k));
            if (k + 1 == w.columns || w.place(n, k) != w.place(n, k + 1)) {
              sum += static_cast<float>(integers) * w.scale(n, k);
              integers = 0;
            }
          }
          EXPECT_EQ(y[static_cast<size_t>(r * 19 + n)], sum * unit + bias[static_cast<size_t>(n)])
              << w.columns << " in groups of " << w.group << " per " << per;
        }
      }
    }
  });
}

TEST_P(PackedRows, Tables) {
  for_each_shape([&](Packed w) {
    if (w.columns * w.bits % 8 != 0) {
      return;
    }
    std::vector<int64_t> ids = {18, 0, 7};
    std::vector<float> y(3 * static_cast<size_t>(w.columns));
    const int32_t sizes[] = {3};
    LocalTensor indices(DType::kInt64, sizes, ids.data(), ids.size() * 8);
    LocalTensor weight = matrix(w.bits == 8 ? DType::kInt8 : DType::kUInt8, 19, w.line(),
                                w.bytes.data(), w.bytes.size());
    LocalTensor scale =
        matrix(DType::kFloat32, 19, w.groups(), w.scales.data(), w.scales.size() * 4);
    LocalTensor zero = matrix(DType::kInt8, 19, w.groups(), w.zeros.data(), w.zeros.size());
    LocalTensor out = matrix(DType::kFloat32, 3, w.columns, y.data(), y.size() * 4);
    ASSERT_EQ(qembedding(context_, *weight, *scale, &*zero, *indices, w.bits, w.group,
                         DType::kFloat32, *out),
              Status::kOk);
    for (size_t i = 0; i < 3; ++i) {
      for (int64_t k = 0; k < w.columns; ++k) {
        EXPECT_EQ(y[i * static_cast<size_t>(w.columns) + static_cast<size_t>(k)],
                  static_cast<float>(w.difference(ids[i], k)) * w.scale(ids[i], k));
      }
    }
    ids[1] = 19;
    EXPECT_EQ(qembedding(context_, *weight, *scale, nullptr, *indices, w.bits, w.group,
                         DType::kFloat32, *out),
              Status::kInvalidArgument);
  });
}

INSTANTIATE_TEST_SUITE_P(Bits, PackedRows, testing::Values(8, 4, 2));

}  // namespace
}  // namespace cresset::kernels::portable
