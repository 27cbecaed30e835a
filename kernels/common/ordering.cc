// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/ordering.h"

#include <cstring>

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels {

namespace {

template <class C>
struct Sorter {
  const C* keys;
  bool descending;

  bool before(int32_t a, int32_t b) const {
    const C x = descending ? keys[b] : keys[a];
    const C y = descending ? keys[a] : keys[b];
    return x < y || (y != y && x == x);
  }

  // Sorts `order`, stably, by merging ever longer runs between it and `other`; returns the one that
  // holds the result.
  int32_t* sort(int32_t* order, int32_t* other, int64_t length) const {
    constexpr int64_t kRun = 8;
    for (int64_t start = 0; start < length; start += kRun) {
      const int64_t end = start + kRun < length ? start + kRun : length;
      for (int64_t i = start + 1; i < end; ++i) {
        const int32_t item = order[i];
        int64_t at = i;
        for (; at > start && before(item, order[at - 1]); --at) {
          order[at] = order[at - 1];
        }
        order[at] = item;
      }
    }
    for (int64_t run = kRun; run < length; run *= 2) {
      for (int64_t start = 0; start < length; start += 2 * run) {
        merge(order, other, start, start + run < length ? start + run : length,
              start + 2 * run < length ? start + 2 * run : length);
      }
      int32_t* const merged = other;
      other = order;
      order = merged;
    }
    return order;
  }

  void merge(const int32_t* from, int32_t* to, int64_t start, int64_t middle, int64_t end) const {
    int64_t left = start;
    int64_t right = middle;
    for (int64_t at = start; at < end; ++at) {
      const bool take_right = left == middle || (right < end && before(from[right], from[left]));
      to[at] = from[take_right ? right++ : left++];
    }
  }
};

}  // namespace

size_t ordering_scratch(int64_t length) {
  return static_cast<size_t>(length) * (sizeof(int64_t) + 2 * sizeof(int32_t));
}

Status order_lines(KernelContext& context, const Tensor& self, size_t dim, Direction direction,
                   Tensor& values, Tensor& indices) {
  // The shape of the outputs differs along `dim` only, so one line is what one result is made of.
  const Reduction r = plan_reduction(self, 1u << dim, Order::kLogical, values, &indices);
  const bool scalar = self.rank() == 0;
  const int64_t length = scalar ? 1 : self.size(dim);
  const int64_t kept = scalar ? 1 : values.size(dim);
  const size_t width = dtype_bytes(self.dtype());
  const size_t stride = scalar ? 0 : static_cast<size_t>(self.stride(dim)) * width;
  const size_t values_stride = scalar ? 0 : static_cast<size_t>(values.stride(dim)) * width;
  const size_t indices_stride =
      scalar ? 0 : static_cast<size_t>(indices.stride(dim)) * sizeof(int64_t);
  void* memory;
  CRESSET_TRY(context.scratch(ordering_scratch(length), &memory));
  return dispatch_compute(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    C* const keys = static_cast<C*>(memory);
    int32_t* const order = reinterpret_cast<int32_t*>(static_cast<int64_t*>(memory) + length);
    for_each_result(r, [&](const uint8_t* line, uint8_t* value, uint8_t* index) {
      load_run(kDTypeOf<C>, keys, self.dtype(), line, static_cast<ptrdiff_t>(stride),
               static_cast<size_t>(length));
      for (int64_t i = 0; i < length; ++i) {
        order[i] = static_cast<int32_t>(i);
      }
      const Sorter<C> sorter = {keys, direction == Direction::kDescending};
      const int32_t* const sorted = sorter.sort(order, order + length, length);
      for (int64_t i = 0; i < kept; ++i) {
        const size_t from = static_cast<size_t>(sorted[i]);
        std::memcpy(value + static_cast<size_t>(i) * values_stride, line + from * stride, width);
        *reinterpret_cast<int64_t*>(index + static_cast<size_t>(i) * indices_stride) = sorted[i];
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
