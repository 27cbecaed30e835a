// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

namespace {

// f(coordinates) for each element that is not zero, in row-major order.
template <class F>
void for_each_nonzero(const Tensor& self, F&& f) {
  constexpr int64_t kChunk = 64;
  if (self.numel() == 0) {
    return;
  }
  const size_t outer = self.rank() == 0 ? 0 : self.rank() - 1;
  const int64_t size = self.rank() == 0 ? 1 : self.size(outer);
  const int64_t width = static_cast<int64_t>(dtype_bytes(self.dtype()));
  const int64_t step = self.rank() == 0 ? width : self.stride(outer) * width;
  const uint8_t* const data = static_cast<const uint8_t*>(self.raw_data());
  int64_t at[kMaxRank] = {};
  for (int64_t left = self.numel() / size; left > 0; --left) {
    int64_t offset = 0;
    for (size_t d = 0; d < outer; ++d) {
      offset += at[d] * self.stride(d) * width;
    }
    for (int64_t first = 0; first < size; first += kChunk) {
      const int64_t count = size - first < kChunk ? size - first : kChunk;
      bool truth[kChunk];
      load_run(DType::kBool, truth, self.dtype(), data + offset + first * step,
               static_cast<ptrdiff_t>(step), static_cast<size_t>(count));
      for (int64_t i = 0; i < count; ++i) {
        if (truth[i]) {
          at[outer] = first + i;
          f(at);
        }
      }
    }
    for (size_t d = outer; d > 0 && ++at[d - 1] == self.size(d - 1); --d) {
      at[d - 1] = 0;
    }
  }
}

}  // namespace

// out = a row of coordinates for each element of self that is not zero, in row-major order. Sizes
// out.
Status nonzero(KernelContext& context, const Tensor& self, Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  int64_t count = 0;
  for_each_nonzero(self, [&](const int64_t*) { ++count; });
  const int32_t sizes[] = {static_cast<int32_t>(count), static_cast<int32_t>(self.rank())};
  if (!ok(out.resize(sizes))) {
    return context.fail(Status::kInvalidArgument, "{} rows of {} for an output of shape {}", count,
                        self.rank(), out.sizes());
  }
  int64_t row = 0;
  int64_t* const to = out.mutable_data<int64_t>();
  for_each_nonzero(self, [&](const int64_t* at) {
    for (size_t d = 0; d < self.rank(); ++d) {
      to[row * out.stride(0) + static_cast<int64_t>(d) * out.stride(1)] = at[d];
    }
    ++row;
  });
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
