// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

template <class C>
struct SumFold : OnePass, Sum<C> {};

template <class C>
void sum_all(const Reduction& r, Total total, DType out_dtype) {
  fold_each<C>(r, SumFold<C>(), [&](const SumFold<C>& sum, uint8_t* result, uint8_t*) {
    C value = sum.value();
    if constexpr (!std::is_integral_v<C>) {
      value = total == Total::kMean ? value / static_cast<C>(r.count) : value;
    }
    store_run(out_dtype, result, kDTypeOf<C>, &value, 1);
  });
}

// Complex numbers: real and imaginary parts.
template <class C>
Status sum_parts(Reduction r, Total total) {
  r.dtype = kDTypeOf<C>;
  for (int part = 0; part < 2; ++part) {
    sum_all<C>(r, total, r.dtype);
    r.data += sizeof(C);
    r.results[0] += sizeof(C);
  }
  return Status::kOk;
}

// A sum of truth values of another dtype's elements says whether any is true.
bool is_truth(DType from, DType to) { return to == DType::kBool && from != DType::kBool; }

}  // namespace

Status reduce_sum(KernelContext& context, const Tensor& self, uint32_t mask, Total total,
                  Tensor& out) {
  if (is_truth(self.dtype(), out.dtype())) {
    return reduce_truth(context, self, mask, Truth::kAny, out);
  }
  const Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  if (self.dtype() == out.dtype() && self.dtype() == DType::kComplex64) {
    return sum_parts<float>(r, total);
  }
  if (self.dtype() == out.dtype() && self.dtype() == DType::kComplex128) {
    return sum_parts<double>(r, total);
  }
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    sum_all<typename decltype(tag)::Type>(r, total, out.dtype());
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
