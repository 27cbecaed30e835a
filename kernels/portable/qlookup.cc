// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dispatch.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels::portable {

// y = table[x] for uint8, table[x + 128] for int8; elements of the table of any width.
Status qlookup(KernelContext& context, const Tensor& x, const Tensor& table, Tensor& out) {
  const uint8_t flip = x.dtype() == DType::kInt8 ? 0x80 : 0;
  LoopNest<1> nest;
  const Operand operand(x);
  for (const uint8_t d : out.dim_order()) {
    nest.push(out.size(d), {operand.stride_bytes(d, out.rank())});
  }
  return dispatch_width(context, table.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* const values = table.data<T>();
    T* to = out.mutable_data<T>();
    nest.for_each_run([&](const ptrdiff_t* offsets) {
      const uint8_t* const from = x.data<uint8_t>() + offsets[0];
      for (int64_t i = 0; i < nest.inner_size(); ++i) {
        *to++ = values[from[i * nest.inner_stride(0)] ^ flip];
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
