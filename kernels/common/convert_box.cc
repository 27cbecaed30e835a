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
  for (size_t d = 0; d < to.rank; ++d) {
    if (to.sizes[d] == 0) {
      return Status::kOk;  // perhaps without data to count an offset from
    }
  }
  uint8_t* const out =
      static_cast<uint8_t*>(to_data) + static_cast<ptrdiff_t>(to.offset) * to_width;
  const uint8_t* const in =
      static_cast<const uint8_t*>(from_data) + static_cast<ptrdiff_t>(from.offset) * from_width;
  const DType compute = to_dtype == DType::kBool ? DType::kBool : compute_dtype(to_dtype);
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    constexpr int64_t kChunk = 32;
    const size_t width = dtype_bytes(compute);
    const int64_t size = nest.inner_size();
    for (int64_t at = 0; at < size; at += kChunk) {
      alignas(8) uint8_t values[kChunk * sizeof(int64_t)];
      const size_t count = static_cast<size_t>(size - at < kChunk ? size - at : kChunk);
      const ptrdiff_t steps = static_cast<ptrdiff_t>(at);
      load_run(compute, values, from_dtype, in + offsets[1] + steps * nest.inner_stride(1),
               nest.inner_stride(1), count);
      uint8_t* result = out + offsets[0] + steps * nest.inner_stride(0);
      // Consecutive results are stored as one run, others as runs of one.
      const size_t run = nest.inner_stride(0) == to_width ? count : 1;
      for (size_t i = 0; i < count; i += run, result += nest.inner_stride(0)) {
        store_run(to_dtype, result, compute, values + i * width, run);
      }
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels
