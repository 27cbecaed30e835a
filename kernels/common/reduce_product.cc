// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

template <class C>
struct Product : OnePass {
  C value = 1;

  void add(const C* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<C>) {
        value = static_cast<C>(static_cast<uint64_t>(value) * static_cast<uint64_t>(x[i]));
      } else {
        value *= x[i];
      }
    }
  }
};

}  // namespace

Status reduce_product(KernelContext& context, const Tensor& self, uint32_t mask, Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  if (out.dtype() == DType::kBool) {
    return reduce_truth(context, self, mask, Truth::kAll, out);
  }
  const Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    fold_each<C>(r, Product<C>(), [&](const Product<C>& product, uint8_t* result, uint8_t*) {
      store_run(out.dtype(), result, kDTypeOf<C>, &product.value, 1);
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
