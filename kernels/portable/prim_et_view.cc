// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the elements of self in another shape, in which one size may be -1. Nothing moves where out
// lies in self's memory.
Status prim_et_view(KernelContext& context, const Tensor& self, ops::IntSpan, Tensor& out) {
  if (!self.is_contiguous() || !out.is_contiguous()) {
    return context.fail(Status::kInvalidArgument, "only contiguous tensors can be viewed");
  }
  if (out.raw_data() == nullptr) {
    out.set_data(const_cast<void*>(self.raw_data()), self.nbytes());
  } else if (out.raw_data() != self.raw_data() && self.nbytes() > 0) {
    std::memmove(out.mutable_raw_data(), self.raw_data(), self.nbytes());
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
