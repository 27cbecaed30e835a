// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

template <class C>
void sum_all(const Reduction& r, Total total, DType out_dtype, ptrdiff_t skip) {
  for_each_result(r, [&](const uint8_t* elements, uint8_t* result, uint8_t*) {
    Sum<C> sum;
    for_each_chunk<C>(r, elements + skip, [&](const C* x, int64_t count) { sum.add(x, count); });
    C value = sum.value();
    if constexpr (!std::is_integral_v<C>) {
      value = total == Total::kMean ? value / static_cast<C>(r.count) : value;
    }
    store_run(out_dtype, result + skip, kDTypeOf<C>, &value, 1);
  });
}

// A sum of truth values of another dtype's elements says whether any is true.
bool is_truth(DType from, DType to) { return to == DType::kBool && from != DType::kBool; }

}  // namespace

Status reduce_sum(KernelContext& context, const Tensor& self, uint32_t mask, Total total,
                  Tensor& out) {
  if (is_truth(self.dtype(), out.dtype())) {
    return reduce_truth(context, self, mask, Truth::kAny, out);
  }
  Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  if (self.dtype() == out.dtype() && self.dtype() == DType::kComplex64) {
    r.dtype = DType::kFloat32;
    sum_all<float>(r, total, r.dtype, 0);
    sum_all<float>(r, total, r.dtype, sizeof(float));
    return Status::kOk;
  }
  if (self.dtype() == out.dtype() && self.dtype() == DType::kComplex128) {
    r.dtype = DType::kFloat64;
    sum_all<double>(r, total, r.dtype, 0);
    sum_all<double>(r, total, r.dtype, sizeof(double));
    return Status::kOk;
  }
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    sum_all<typename decltype(tag)::Type>(r, total, out.dtype(), 0);
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
