// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/scan.h"

#include "kernels/common/combine.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/reduce.h"

namespace cresset::kernels {

namespace {

template <class C>
C next(Scan scan, C carried, C element) {
  if constexpr (std::is_integral_v<C>) {
    const uint64_t a = static_cast<uint64_t>(carried);
    const uint64_t b = static_cast<uint64_t>(element);
    return static_cast<C>(scan == Scan::kSum ? a + b : a * b);
  } else {
    return scan == Scan::kSum ? carried + element : carried * element;
  }
}

}  // namespace

Status scan_lines(KernelContext& context, const Tensor& self, size_t dim, Scan scan, Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  // The output has the elements of every line: only where lines start is taken from the plan.
  const Reduction r = plan_reduction(self, 1u << dim, Order::kLogical, out);
  const ptrdiff_t width = static_cast<ptrdiff_t>(dtype_bytes(out.dtype()));
  const ptrdiff_t stride = self.rank() == 0 ? 0 : static_cast<ptrdiff_t>(out.stride(dim)) * width;
  const CombineFn replace = combine_fn(Combine::kReplace, out.dtype());
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    for_each_result(r, [&](const uint8_t* line, uint8_t* result, uint8_t*) {
      C carried = scan == Scan::kSum ? C(0) : C(1);
      for_each_chunk<C>(r, line, [&](const C* x, int64_t count) {
        constexpr int64_t kChunk = 64;
        C values[kChunk];
        alignas(8) uint8_t stored[kChunk * sizeof(int64_t)];
        for (int64_t at = 0; at < count; at += kChunk) {
          const int64_t n = count - at < kChunk ? count - at : kChunk;
          for (int64_t i = 0; i < n; ++i) {
            carried = next(scan, carried, x[at + i]);
            values[i] = carried;
          }
          store_run(out.dtype(), stored, kDTypeOf<C>, values, static_cast<size_t>(n));
          replace(result, stride, stored, width, n);
          result += static_cast<ptrdiff_t>(n) * stride;
        }
      });
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
