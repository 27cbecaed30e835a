// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/reduce.h"
#include "kernels/common/reductions.h"

namespace cresset::kernels {

namespace {

// For a true element or, as for "all", a false one.
struct Search : OnePass {
  bool all = false;
  bool found = false;

  Search() = default;
  explicit Search(bool for_false) : all(for_false) {}
  void add(const bool* x, int64_t count) {
    for (int64_t i = 0; i < count && !found; ++i) {
      found = x[i] != all;
    }
  }
};

}  // namespace

Status reduce_truth(KernelContext& context, const Tensor& self, uint32_t mask, Truth truth,
                    Tensor& out) {
  if (!can_load(self.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", self.dtype());
  }
  const Reduction r = plan_reduction(self, mask, Order::kMemory, out);
  const bool all = truth == Truth::kAll;
  fold_each<bool>(r, Search(all), [&](const Search& search, uint8_t* result, uint8_t*) {
    *result = search.found != all ? 1 : 0;  // the byte of true, in bool and uint8
  });
  return Status::kOk;
}

}  // namespace cresset::kernels
