// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/kernel_context.h"
#include "kernels/common/convert.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"
#include "kernels/common/packed_weight.h"

namespace cresset::kernels::portable {

// out[..., k] = (weight[index, k] - zero) * scale for each index.
Status qembedding(KernelContext& context, const Tensor& weight, const Tensor& scale,
                  const Tensor* zero, const Tensor& indices, int64_t bits, int64_t group_size,
                  DType, Tensor& out) {
  constexpr int64_t kPiece = 64;
  const int64_t width = out.size(indices.rank()), step = out.stride(indices.rank());
  const PackedWeight table(weight, scale, zero, width, bits, group_size);
  const ptrdiff_t bytes = static_cast<ptrdiff_t>(dtype_bytes(out.dtype()));
  uint8_t* const to = out.mutable_data<uint8_t>();
  LoopNest<2> nest;
  for (size_t d = 0; d < indices.rank(); ++d) {
    nest.push(indices.size(d),
              {static_cast<ptrdiff_t>(indices.stride(d)), static_cast<ptrdiff_t>(out.stride(d))});
  }
  Status status = Status::kOk;
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < nest.inner_size() && status == Status::kOk; ++i) {
      const ptrdiff_t place = offsets[0] + i * nest.inner_stride(0);
      const int64_t row = indices.dtype() == DType::kInt64 ? indices.data<int64_t>()[place]
                                                           : indices.data<int32_t>()[place];
      if (row < 0 || row >= weight.size(0)) {
        status =
            context.fail(Status::kInvalidArgument, "index {} is out of range for {} rows of weight",
                         row, weight.size(0));
        return;
      }
      uint8_t* const line = to + (offsets[1] + i * nest.inner_stride(1)) * bytes;
      table.for_each_piece(kPiece, [&](int64_t group, int64_t first, int64_t count, bool) {
        int16_t integers[kPiece];
        float numbers[kPiece];
        table.load(row, first, count, group, integers);
        const float unit = table.scale(row, group);
        for (int64_t k = 0; k < count; ++k) {
          numbers[k] = static_cast<float>(integers[k]) * unit;
        }
        for (int64_t k = 0; k < count; k += step == 1 ? count : 1) {
          store_run(out.dtype(), line + (first + k) * step * bytes, DType::kFloat32, numbers + k,
                    static_cast<size_t>(step == 1 ? count : 1));
        }
      });
    }
  });
  return status;
}

}  // namespace cresset::kernels::portable
