// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/dims.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels::portable {

namespace {

template <class C>
struct Norm : OnePass {
  C p = 0;
  Sum<C> sum;
  C extreme = -1;  // of the magnitudes, none yet

  Norm() = default;
  explicit Norm(C order) : p(order) {}
  void add(const C* x, int64_t count) {
    if (std::isinf(p)) {
      for (int64_t i = 0; i < count; ++i) {
        const C size = std::fabs(x[i]);
        const bool wins = extreme < 0 || size != size || (p > 0 ? size > extreme : size < extreme);
        extreme = wins && extreme == extreme ? size : extreme;
      }
    } else if (p == 2) {
      sum.add(x, count, [](C v) { return v * v; });
    } else {
      sum.add(x, count, [this](C v) {
        return p == 1 ? std::fabs(v) : p == 0 ? C(v != 0 ? 1 : 0) : std::pow(std::fabs(v), p);
      });
    }
  }
  C value() const {
    return std::isinf(p)      ? extreme
           : p == 2           ? std::sqrt(sum.value())
           : p == 0 || p == 1 ? sum.value()
                              : std::pow(sum.value(), 1 / p);
  }
};

}  // namespace

// out = (sum(|self| ^ ord)) ^ (1 / ord) along the dimensions, along all where there are none;
// infinite orders give the greatest or least magnitude, 0 counts what is not zero.
Status linalg_vector_norm(KernelContext& context, const Tensor& self, Scalar ord,
                          Optional<IntSpan> dim, bool, Optional<DType>, Tensor& out) {
  const uint32_t mask = dim.has_value() ? reduced_mask(*dim, self.rank()) : ~0u;
  const Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  if (r.count == 0 && (ord.to_double() < 0 || std::isinf(ord.to_double()))) {
    return context.fail(Status::kInvalidArgument, "the norm of order {} of no elements",
                        ord.to_double());
  }
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const Norm<C> start(static_cast<C>(ord.to_double()));
    fold_each<C>(r, start, [&](const Norm<C>& norm, uint8_t* result, uint8_t*) {
      const C value = norm.value();
      store_run(out.dtype(), result, kDTypeOf<C>, &value, 1);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
