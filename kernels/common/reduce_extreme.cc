// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

template <class C>
struct Best {
  C value = 0;
  int64_t index = -1;
  int64_t seen = 0;

  template <class Better>
  void offer(const C* x, int64_t count, Better better) {
    int64_t i = 0;
    if (index < 0 && count > 0) {
      value = x[0];
      index = 0;
      i = 1;
    }
    for (; i < count && value == value; ++i) {
      if (better(x[i], value) || x[i] != x[i]) {
        value = x[i];
        index = seen + i;
      }
    }
    seen += count;
  }
};

}  // namespace

Status reduce_extreme(KernelContext& context, const Tensor& self, uint32_t mask, Which which,
                      Tensor* values, Tensor* indices) {
  const Order order = indices == nullptr ? Order::kMemory : Order::kLogical;
  Tensor& first = values == nullptr ? *indices : *values;
  const Reduction r =
      plan_reduction(self, mask, order, first, values == nullptr ? nullptr : indices);
  return dispatch_compute(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    for_each_result(r, [&](const uint8_t* elements, uint8_t* one, uint8_t* two) {
      Best<C> best;
      for_each_chunk<C>(r, elements, [&](const C* x, int64_t count) {
        if (which == Which::kGreatest) {
          best.offer(x, count, [](C a, C b) { return a > b; });
        } else {
          best.offer(x, count, [](C a, C b) { return a < b; });
        }
      });
      if (values != nullptr) {
        store_run(self.dtype(), one, kDTypeOf<C>, &best.value, 1);
      }
      if (indices != nullptr) {
        store_run(DType::kInt64, values == nullptr ? one : two, DType::kInt64, &best.index, 1);
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
