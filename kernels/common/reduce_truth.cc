// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

Status reduce_truth(KernelContext& context, const Tensor& self, uint32_t mask, Truth truth,
                    Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  const Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  const bool all = truth == Truth::kAll;
  for_each_result(r, [&](const uint8_t* elements, uint8_t* result, uint8_t*) {
    bool found = false;  // a true one for any, a false one for all
    for_each_chunk<bool>(r, elements, [&](const bool* x, int64_t count) {
      for (int64_t i = 0; i < count && !found; ++i) {
        found = x[i] != all;
      }
    });
    *result = found != all ? 1 : 0;  // the byte of true, in bool and uint8
  });
  return Status::kOk;
}

}  // namespace cresset::kernels
