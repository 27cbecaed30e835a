// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert_box.h"

#include "kernels/common/convert.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

Status convert_box(KernelContext& context, DType to_dtype, void* to_data, const Box& to,
                   DType from_dtype, const void* from_data, const Box& from) {
  if (to_dtype == from_dtype) {
    copy_box(to_data, to, from_data, from, dtype_bytes(to_dtype));
    return Status::kOk;
  }
  if (!can_load(to_dtype) || !can_load(from_dtype)) {
    return context.fail(Status::kInvalidType, "{} does not convert to {}", from_dtype, to_dtype);
  }
  const ptrdiff_t to_width = static_cast<ptrdiff_t>(dtype_bytes(to_dtype));
  const ptrdiff_t from_width = static_cast<ptrdiff_t>(dtype_bytes(from_dtype));
  LoopNest<2> nest;
  for (size_t d = 0; d < to.rank; ++d) {
    nest.push(to.sizes[d], {static_cast<ptrdiff_t>(to.strides[d]) * to_width,
                            static_cast<ptrdiff_t>(from.strides[d]) * from_width});
  }
  uint8_t* const out =
      static_cast<uint8_t*>(to_data) + static_cast<ptrdiff_t>(to.offset) * to_width;
  const uint8_t* const in =
      static_cast<const uint8_t*>(from_data) + static_cast<ptrdiff_t>(from.offset) * from_width;
  const DType compute = to_dtype == DType::kBool ? DType::kBool : compute_dtype(to_dtype);
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < nest.inner_size(); ++i) {
      alignas(8) uint8_t value[8];
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      load_run(compute, value, from_dtype, in + offsets[1] + at * nest.inner_stride(1), from_width,
               1);
      store_run(to_dtype, out + offsets[0] + at * nest.inner_stride(0), compute, value, 1);
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels
