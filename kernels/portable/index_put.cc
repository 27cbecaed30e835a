// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/indexing.h"
#include "kernels/common/kernel.h"
#include "kernels/common/strided_copy.h"

namespace cresset::kernels::portable {

// Room for the indices that masks stand for.
size_t index_put_scratch(Value* const* args) {
  return Indexing::scratch_bytes(args[1]->as_tensors());
}

// out = self with the elements at the places that the index tensors give replaced by the values,
// which broadcast, or added to; where places repeat the last value counts, or all are added.
Status index_put(KernelContext& context, const Tensor& self, TensorSpan indices,
                 const Tensor& values, bool accumulate, Tensor& out) {
  copy_elements(self, out);
  Indexing places(out, Indexing::Negative::kFromEnd);
  CRESSET_TRY(add_indices(context, indices, &places));
  return places.write(context, out, values, accumulate ? Combine::kAdd : Combine::kReplace);
}

}  // namespace cresset::kernels::portable
