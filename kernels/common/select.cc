// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/select.h"

namespace cresset::kernels {

Status select(KernelContext& context, const Tensor& condition, const Operand& yes,
              const Operand& no, Tensor& out) {
  if (condition.dtype() != DType::kBool && condition.dtype() != DType::kUInt8) {
    return context.fail(Status::kInvalidType, "the condition is {}, expected bool",
                        condition.dtype());
  }
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    const Source sources[] = {{condition, DType::kBool, DType::kBool},
                              {yes, kDTypeOf<C>, out.dtype()},
                              {no, kDTypeOf<C>, out.dtype()}};
    return run_elementwise(context, sources, kDTypeOf<C>, out,
                           [](size_t count, const void* const* in, void* result) {
                             const bool* const c = static_cast<const bool*>(in[0]);
                             const C* const y = static_cast<const C*>(in[1]);
                             const C* const n = static_cast<const C*>(in[2]);
                             C* const r = static_cast<C*>(result);
                             for (size_t i = 0; i < count; ++i) {
                               r[i] = c[i] ? y[i] : n[i];
                             }
                           });
  });
}

}  // namespace cresset::kernels
