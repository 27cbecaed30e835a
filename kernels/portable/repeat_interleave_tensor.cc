// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

namespace {

int64_t repeat_at(const Tensor& repeats, int64_t i) {
  return repeats.dtype() == DType::kInt32 ? repeats.data<int32_t>()[i] : repeats.data<int64_t>()[i];
}

}  // namespace

// out = i, repeats[i] times, for each i. Sizes out.
Status repeat_interleave_tensor(KernelContext& context, const Tensor& repeats,
                                Optional<int64_t> output_size, Tensor& out) {
  int64_t count = 0;
  for (int64_t i = 0; i < repeats.numel(); ++i) {
    const int64_t times = repeat_at(repeats, i);
    if (times < 0 || times > INT32_MAX - count) {
      return context.fail(Status::kInvalidArgument, "repeat {} at {} is out of range [0, {}]",
                          times, i, INT32_MAX - count);
    }
    count += times;
  }
  const int32_t sizes[] = {static_cast<int32_t>(count)};
  if (count != output_size.value_or(count) || !ok(out.resize(sizes))) {
    return context.fail(Status::kInvalidArgument, "the repeats add up to {}, expected {}", count,
                        output_size.value_or(out.numel()));
  }
  uint8_t* to = static_cast<uint8_t*>(out.mutable_raw_data());
  for (int64_t i = 0; i < repeats.numel(); ++i) {
    for (int64_t times = repeat_at(repeats, i); times > 0; --times) {
      store_run(out.dtype(), to, DType::kInt64, &i, 1);
      to += dtype_bytes(out.dtype());
    }
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
