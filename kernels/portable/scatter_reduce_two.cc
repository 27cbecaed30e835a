// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "kernels/common/convert.h"
#include "kernels/common/dims.h"
#include "kernels/common/fill_box.h"
#include "kernels/common/kernel.h"
#include "kernels/common/scatter.h"

namespace cresset::kernels::portable {

namespace {

struct Reducer {
  const char* name;
  Combine combine;
  int identity;  // where the element that was there does not count
};
// Greatest and least start from one of their elements.
constexpr Reducer kReducers[] = {{"sum", Combine::kAdd, 0},
                                 {"prod", Combine::kMultiply, 1},
                                 {"mean", Combine::kAdd, 0},
                                 {"amax", Combine::kGreatest, 0},
                                 {"amin", Combine::kLeast, 0}};

int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Divides the element at `at` by how many were added there.
void divide(uint8_t* at, DType dtype, int32_t count) {
  if (is_floating(dtype)) {
    const DType compute = compute_dtype(dtype);
    double wide;
    load_run(DType::kFloat64, &wide, dtype, at, 0, 1);
    wide /= count;
    const float narrow = static_cast<float>(wide);
    store_run(dtype, at, compute,
              compute == DType::kFloat64 ? static_cast<void*>(&wide)
                                         : const_cast<void*>(static_cast<const void*>(&narrow)),
              1);
  } else {
    int64_t value;
    load_run(DType::kInt64, &value, dtype, at, 0, 1);
    value = floor_quotient(value, count);
    store_run(dtype, at, DType::kInt64, &value, 1);
  }
}

}  // namespace

// A count for each element of out, for means.
size_t scatter_reduce_two_scratch(Value* const* args) {
  const char* const reduce = args[4]->as_string();
  return std::strcmp(reduce, "mean") == 0
             ? static_cast<size_t>(args[0]->as_tensor()->numel()) * sizeof(int32_t)
             : 0;
}

// out = self with src[i][j] reduced into out[index[i][j]][j] for dim 0, and so on, by `reduce`:
// sum, prod, mean, amax or amin. Unless include_self what was there does not count.
Status scatter_reduce_two(KernelContext& context, const Tensor& self, int64_t dim,
                          const Tensor& index, const Tensor& src, const char* reduce,
                          bool include_self, Tensor& out) {
  const Reducer* reducer = nullptr;
  for (const Reducer& candidate : kReducers) {
    reducer = std::strcmp(candidate.name, reduce) == 0 ? &candidate : reducer;
  }
  if (reducer == nullptr) {
    return context.fail(Status::kInvalidArgument,
                        "reduce is {}, expected sum, prod, mean, amax or amin", reduce);
  }
  const size_t d = wrapped(dim, self.rank());
  copy_elements(self, out);
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  if (!include_self) {
    const bool starts_with_own =
        reducer->combine == Combine::kGreatest || reducer->combine == Combine::kLeast;
    const CombineFn copy = combine_fn(Combine::kReplace, out.dtype());
    Element identity;
    CRESSET_TRY(encode(context, Scalar::of_int(reducer->identity), out.dtype(), &identity));
    const uint8_t* const from = static_cast<const uint8_t*>(src.raw_data());
    CRESSET_TRY(for_each_indexed(context, index, d, out, &src, [&](ptrdiff_t at, ptrdiff_t src_at) {
      copy(to + at, 0, starts_with_own ? from + src_at : identity.bytes, 0, 1);
    }));
  }
  CRESSET_TRY(scatter_into(context, out, d, index, src, reducer->combine));
  if (std::strcmp(reduce, "mean") != 0 || out.numel() == 0) {
    return Status::kOk;
  }
  void* memory;
  const size_t count = static_cast<size_t>(out.numel());
  CRESSET_TRY(context.scratch(count * sizeof(int32_t), &memory));
  int32_t* const counts = static_cast<int32_t*>(memory);
  std::memset(counts, 0, count * sizeof(int32_t));
  const ptrdiff_t width = static_cast<ptrdiff_t>(dtype_bytes(out.dtype()));
  CRESSET_TRY(for_each_indexed(context, index, d, out, nullptr,
                               [&](ptrdiff_t at, ptrdiff_t) { ++counts[at / width]; }));
  for (size_t i = 0; i < count; ++i) {
    if (counts[i] > 0) {
      divide(to + static_cast<ptrdiff_t>(i) * width, out.dtype(),
             counts[i] + (include_self ? 1 : 0));
    }
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
