// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/message.h"
#include "kernels/portable/kernels.h"

// Products and convolutions larger than one tile, against their definitions. Elements are small
// integers, so that every dtype gives the exact sum in whatever order it adds.
namespace cresset::kernels::portable {
namespace {

using Order = std::vector<uint8_t>;

template <class T>
class Filled {
 public:
  Filled(std::vector<int32_t> sizes, uint32_t seed, Order order = {})
      : values_(count(sizes)),
        tensor_(kDTypeOf<T>, sizes, values_.data(), values_.size() * sizeof(T), order) {
    std::minstd_rand random(seed + 1);
    for (T& value : values_) {
      value = static_cast<T>(static_cast<int>(random() % 5) - 2);
    }
  }
  Tensor& operator*() { return *tensor_; }
  T& at(const std::vector<int64_t>& index) {
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      offset += index[d] * tensor_->stride(d);
    }
    return values_[static_cast<size_t>(offset)];
  }
  int64_t number(const std::vector<int64_t>& index) {
    return static_cast<int64_t>(static_cast<double>(at(index)));
  }
  int64_t size(size_t d) { return tensor_->size(d); }

 private:
  static size_t count(const std::vector<int32_t>& sizes) {
    size_t product = 1;
    for (const int32_t size : sizes) {
      product *= static_cast<size_t>(size);
    }
    return product;
  }
  std::vector<T> values_;
  LocalTensor tensor_;
};

// Cuts loops into pieces of the smallest size allowed.
class Pieces : public ParallelFor {
 public:
  void run(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) override {
    for (int64_t first = 0; first < count; first += grain) {
      body(first, std::min(first + grain, count));
    }
  }
};

template <class T>
class Products : public testing::Test {
 protected:
  char text_[256] = {};
  Message message_{text_};
  Pieces pieces_;
  KernelContext context_{&message_, {}, &pieces_};
};
using Types = testing::Types<float, double, Half, int32_t, uint8_t>;
TYPED_TEST_SUITE(Products, Types);

template <class T>
int64_t as_element(int64_t value) {
  return static_cast<int64_t>(static_cast<double>(static_cast<T>(value)));
}

TYPED_TEST(Products, MatricesOfAllSizesAndOrders) {
  const int32_t sizes[][3] = {{1, 1, 1},   {1, 70, 130}, {3, 5, 9}, {2, 131, 3},  {9, 64, 8},
                              {5, 65, 17}, {8, 200, 7},  {3, 0, 9}, {33, 129, 31}};
  for (const auto& [n, k, m] : sizes) {
    for (int orders = 0; orders < 8; ++orders) {
      const auto order = [&](int bit) { return (orders >> bit & 1) != 0 ? Order{1, 0} : Order{}; };
      Filled<TypeParam> a({n, k}, 1, order(0)), b({k, m}, 2, order(1)), out({n, m}, 3, order(2));
      ASSERT_EQ(mm(this->context_, *a, *b, *out), Status::kOk) << this->text_;
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < m; ++j) {
          int64_t sum = 0;
          for (int64_t l = 0; l < k; ++l) {
            sum += a.number({i, l}) * b.number({l, j});
          }
          ASSERT_EQ(out.number({i, j}), as_element<TypeParam>(sum))
              << n << "x" << k << "x" << m << " orders " << orders << " at " << i << ", " << j;
        }
      }
    }
  }
}

TYPED_TEST(Products, AddmmAddsRowsAndColumns) {
  Filled<TypeParam> a({6, 70}, 1), b({70, 11}, 2), out({6, 11}, 3);
  for (const bool column : {false, true}) {
    Filled<TypeParam> c(column ? std::vector<int32_t>{6, 1} : std::vector<int32_t>{11}, 4);
    ASSERT_EQ(addmm(this->context_, *c, *a, *b, Scalar::of_int(3), Scalar::of_int(2), *out),
              Status::kOk);
    for (int64_t i = 0; i < 6; ++i) {
      for (int64_t j = 0; j < 11; ++j) {
        int64_t sum = 0;
        for (int64_t l = 0; l < 70; ++l) {
          sum += a.number({i, l}) * b.number({l, j});
        }
        const int64_t other = column ? c.number({i, 0}) : c.number({j});
        ASSERT_EQ(out.number({i, j}), as_element<TypeParam>(2 * sum + 3 * other));
      }
    }
  }
}

struct ConvolutionCase {
  int32_t in_channels, out_channels, groups;
  int32_t size[2];
  int32_t kernel[2];
  int64_t stride[2], padding[2], dilation[2];
};

template <class T>
void check_convolution(KernelContext& context, const ConvolutionCase& c, bool transposed,
                       bool channels_last) {
  int32_t out_size[2];
  for (int d = 0; d < 2; ++d) {
    const int64_t reach = c.dilation[d] * (c.kernel[d] - 1);
    const int64_t size = transposed ? (c.size[d] - 1) * c.stride[d] - 2 * c.padding[d] + reach + 1
                                    : (c.size[d] + 2 * c.padding[d] - reach - 1) / c.stride[d] + 1;
    out_size[d] = static_cast<int32_t>(size);
  }
  const Order order = channels_last ? Order{0, 2, 3, 1} : Order{};
  Filled<T> x({2, c.in_channels, c.size[0], c.size[1]}, 1, order);
  Filled<T> w({transposed ? c.in_channels : c.out_channels,
               (transposed ? c.out_channels : c.in_channels) / c.groups, c.kernel[0], c.kernel[1]},
              2);
  Filled<T> bias({c.out_channels}, 3);
  Filled<T> out({2, c.out_channels, out_size[0], out_size[1]}, 4, order);
  const int64_t no_extra[] = {0, 0};
  ASSERT_EQ(convolution(context, *x, *w, &*bias, c.stride, c.padding, c.dilation, transposed,
                        no_extra, c.groups, *out),
            Status::kOk);

  std::vector<int64_t> sums(static_cast<size_t>(out_size[0] * out_size[1]));
  const int64_t ipg = c.in_channels / c.groups, opg = c.out_channels / c.groups;
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t o = 0; o < c.out_channels; ++o) {
      std::fill(sums.begin(), sums.end(), bias.number({o}));
      const int64_t group = o / opg;
      for (int64_t i = 0; i < ipg; ++i) {
        for (int64_t kh = 0; kh < c.kernel[0]; ++kh) {
          for (int64_t kw = 0; kw < c.kernel[1]; ++kw) {
            const int64_t weight = transposed ? w.number({group * ipg + i, o % opg, kh, kw})
                                              : w.number({o, i, kh, kw});
            // Both kinds relate a wide position to a narrow one: wide = narrow * stride + shift.
            const int64_t shift_h = kh * c.dilation[0] - c.padding[0];
            const int64_t shift_w = kw * c.dilation[1] - c.padding[1];
            const int64_t narrow_h = transposed ? c.size[0] : out_size[0];
            const int64_t narrow_w = transposed ? c.size[1] : out_size[1];
            for (int64_t h = 0; h < narrow_h; ++h) {
              for (int64_t v = 0; v < narrow_w; ++v) {
                const int64_t wide_h = h * c.stride[0] + shift_h;
                const int64_t wide_w = v * c.stride[1] + shift_w;
                const int64_t in_h = transposed ? h : wide_h, in_w = transposed ? v : wide_w;
                const int64_t to_h = transposed ? wide_h : h, to_w = transposed ? wide_w : v;
                if (in_h >= 0 && in_h < c.size[0] && in_w >= 0 && in_w < c.size[1] && to_h >= 0 &&
                    to_h < out_size[0] && to_w >= 0 && to_w < out_size[1]) {
                  sums[static_cast<size_t>(to_h * out_size[1] + to_w)] +=
                      weight * x.number({n, group * ipg + i, in_h, in_w});
                }
              }
            }
          }
        }
      }
      for (int64_t h = 0; h < out_size[0]; ++h) {
        for (int64_t v = 0; v < out_size[1]; ++v) {
          ASSERT_EQ(out.number({n, o, h, v}),
                    as_element<T>(sums[static_cast<size_t>(h * out_size[1] + v)]))
              << "transposed " << transposed << " channels last " << channels_last << " in "
              << c.in_channels << " out " << c.out_channels << " groups " << c.groups << " at " << n
              << ", " << o << ", " << h << ", " << v;
        }
      }
    }
  }
}

TYPED_TEST(Products, ConvolutionsOfAllKinds) {
  const ConvolutionCase cases[] = {
      {3, 6, 1, {5, 21}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},    // overlapping last tile
      {20, 5, 1, {4, 11}, {1, 3}, {1, 2}, {0, 1}, {1, 2}},   // more depth than one packing
      {4, 6, 2, {9, 19}, {3, 2}, {2, 2}, {1, 0}, {1, 3}},    // groups, stride, dilation
      {18, 9, 1, {3, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},    // pointwise, flattened
      {18, 9, 1, {3, 7}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},    // pointwise, strided
      {6, 6, 6, {5, 70}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},    // depthwise, wide rows
      {70, 70, 70, {4, 5}, {3, 3}, {2, 1}, {1, 1}, {1, 1}},  // depthwise, many channels
      {4, 8, 4, {6, 9}, {2, 3}, {1, 2}, {0, 1}, {2, 1}},     // depthwise with a multiplier
      {1, 9, 1, {6, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},     // one input channel
      {5, 7, 1, {1, 1}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},     // most taps outside
  };
  for (const ConvolutionCase& one : cases) {
    for (const bool transposed : {false, true}) {
      for (const bool channels_last : {false, true}) {
        if (transposed && one.size[0] == 1) {
          continue;
        }
        check_convolution<TypeParam>(this->context_, one, transposed, channels_last);
      }
    }
  }
}

TYPED_TEST(Products, LinearTakesAnyOrder) {
  const Order orders[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  for (const Order& order : orders) {
    Filled<TypeParam> x({3, 4, 70}, 1, order), w({9, 70}, 2), bias({9}, 3), out({3, 4, 9}, 4);
    ASSERT_EQ(linear(this->context_, *x, *w, &*bias, *out), Status::kOk);
    for (int64_t n = 0; n < 3; ++n) {
      for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 9; ++j) {
          int64_t sum = bias.number({j});
          for (int64_t k = 0; k < 70; ++k) {
            sum += x.number({n, i, k}) * w.number({j, k});
          }
          ASSERT_EQ(out.number({n, i, j}), as_element<TypeParam>(sum));
        }
      }
    }
  }
}

}  // namespace
}  // namespace cresset::kernels::portable
