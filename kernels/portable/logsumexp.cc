// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "kernels/common/dims.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels::portable {

namespace {

// The greatest element in a first pass, in a second the exponentials of what is below it.
template <class C>
struct Exponentials {
  static constexpr int kPasses = 2;
  C shift = -std::numeric_limits<C>::infinity();
  bool sums = false;
  Sum<C> sum;

  void begin(int pass) {
    sums = pass == 1;
    shift = sums && std::isinf(shift) ? C(0) : shift;
  }
  void add(const C* x, int64_t count) {
    if (sums) {
      sum.add(x, count, [below = shift](C v) { return std::exp(v - below); });
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      shift = x[i] > shift ? x[i] : shift;
    }
  }
};

}  // namespace

// out = log(sum(exp(self))) along the dimensions, along all where the list is empty, without
// overflow.
Status logsumexp(KernelContext& context, const Tensor& self, IntSpan dim, bool, Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  const Reduction r = plan_reduction(self, reduced_mask(dim, self.rank()), Order::kMemory, out);
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    fold_each<C>(r, Exponentials<C>(), [&](const Exponentials<C>& fold, uint8_t* result, uint8_t*) {
      const C value = std::log(fold.sum.value()) + fold.shift;
      store_run(out.dtype(), result, kDTypeOf<C>, &value, 1);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
