// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill.h"
#include "kernels/common/kernel.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels::portable {

// cache[:, start : start + n] = value, whose dimension 1 has n elements; `out` is 0.
Status update_cache(KernelContext& context, const Tensor& value, Tensor& cache, int64_t start,
                    Tensor& out) {
  bool fits = value.rank() >= 2 && cache.rank() == value.rank() && value.dtype() == cache.dtype();
  for (size_t d = 0; fits && d < value.rank(); ++d) {
    fits = d == 1 || value.size(d) == cache.size(d);
  }
  if (!fits || start < 0 || start > cache.size(1) - value.size(1)) {
    return context.fail(Status::kInvalidArgument,
                        "value of shape {} does not go into a cache of shape {} at {}",
                        value.sizes(), cache.sizes(), start);
  }
  Box to(cache);
  to.slice(1, start, 1, value.size(1));
  copy_box(cache.mutable_raw_data(), to, value.raw_data(), Box(value), dtype_bytes(value.dtype()));
  return fill(context, out, Scalar::of_int(0));
}

}  // namespace cresset::kernels::portable
