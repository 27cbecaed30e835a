// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

template <class C>
struct Best : OnePass {
  Which which = Which::kGreatest;
  C value = 0;
  int64_t index = -1;
  int64_t seen = 0;

  Best() = default;
  explicit Best(Which wanted) : which(wanted) {}

  void add(const C* x, int64_t count) {
    if (which == Which::kGreatest) {
      offer(x, count, [](C a, C b) { return a > b; });
    } else {
      offer(x, count, [](C a, C b) { return a < b; });
    }
  }

 private:
  template <class Better>
  void offer(const C* x, int64_t count, Better better) {
    int64_t i = 0;
    if (index < 0 && count > 0) {
      value = x[0];
      index = 0;
    }
    for (; i + kBlock <= count; i += kBlock) {
      if (any_better(x + i, better)) {
        offer_each(x, i, i + kBlock, better);
      }
    }
    offer_each(x, i, count, better);
    seen += count;
  }

  // Without branches, because most blocks hold nothing better.
  template <class Better>
  bool any_better(const C* x, Better better) const {
    bool any = false;
    for (int i = 0; i < kBlock; ++i) {
      any |= better(x[i], value) || x[i] != x[i];
    }
    return any;
  }

  template <class Better>
  void offer_each(const C* x, int64_t first, int64_t last, Better better) {
    for (int64_t i = first; i < last; ++i) {
      const bool wins = (better(x[i], value) | (x[i] != x[i])) & (value == value);
      value = wins ? x[i] : value;
      index = wins ? seen + i : index;
    }
  }

  static constexpr int kBlock = 16;
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
    fold_each<C>(r, Best<C>(which), [&](const Best<C>& best, uint8_t* one, uint8_t* two) {
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
