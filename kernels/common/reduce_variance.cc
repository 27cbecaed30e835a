// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

// The mean in a first pass, in a second the squared distances from it.
template <class C>
struct Deviations {
  static constexpr int kPasses = 2;
  C count = 0;
  C mean = 0;
  bool squares = false;
  Sum<C> sum;

  Deviations() = default;
  explicit Deviations(int64_t elements) : count(static_cast<C>(elements)) {}
  void begin(int pass) {
    if (pass == 1) {
      mean = sum.value() / count;
      squares = true;
      sum = Sum<C>();
    }
  }
  void add(const C* x, int64_t n) {
    if (squares) {
      sum.add(x, n, [center = mean](C v) { return (v - center) * (v - center); });
    } else {
      sum.add(x, n);
    }
  }
};

}  // namespace

Status reduce_variance(KernelContext& context, const Tensor& self, uint32_t mask, double correction,
                       Tensor& variance, Tensor* mean) {
  const Reduction r = plan_reduction(self, mask, Order::kMemory, variance, mean);
  const double count = static_cast<double>(r.count);
  const double divisor = count > correction ? count - correction : 0;
  return dispatch_compute_floating(context, self.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const auto finish = [&](const Deviations<C>& fold, uint8_t* one, uint8_t* two) {
      const C result = fold.sum.value() / static_cast<C>(divisor);
      store_run(variance.dtype(), one, kDTypeOf<C>, &result, 1);
      if (mean != nullptr) {
        store_run(mean->dtype(), two, kDTypeOf<C>, &fold.mean, 1);
      }
    };
    fold_each<C>(r, Deviations<C>(r.count), finish);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
