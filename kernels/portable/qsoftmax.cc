// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/integer_softmax.h"

namespace cresset::kernels::portable {

// y = table[greatest x along dim - x] / the sum of them along dim, times fixed[0] / 2^fixed[1],
// which is 1 / y_scale.
Status qsoftmax(KernelContext&, const Tensor& x, int64_t dim, const Tensor& table, double, double,
                int64_t y_zero, int64_t y_min, int64_t y_max, IntSpan fixed, Optional<DType>,
                Tensor& out) {
  softmax_integers(x, wrapped(dim, x.rank()), table.data<int32_t>(),
                   static_cast<uint32_t>(fixed[0]), static_cast<int32_t>(fixed[1]),
                   quant_range(y_zero, y_min, y_max), out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
