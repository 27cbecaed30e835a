// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/indexing.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Room for the indices that masks stand for.
size_t index_put__scratch(Value* const* args) {
  return Indexing::scratch_bytes(args[1]->as_tensors());
}

// As index_put, into self.
Status index_put_(KernelContext& context, Tensor& self, TensorSpan indices, const Tensor& values,
                  bool accumulate) {
  Indexing places(self, Indexing::Negative::kFromEnd);
  CRESSET_TRY(add_indices(context, indices, &places));
  return places.write(context, self, values, accumulate ? Combine::kAdd : Combine::kReplace);
}

}  // namespace cresset::kernels::portable
