// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/indexing.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// Room for the indices that masks stand for.
size_t index_tensor_scratch(Value* const* args) {
  return Indexing::scratch_bytes(args[1]->as_tensors());
}

// out = the elements of self at the places that the index tensors give; an absent one keeps its
// dimension. Sizes out where masks are among them.
Status index_tensor(KernelContext& context, const Tensor& self, TensorSpan indices, Tensor& out) {
  Indexing places(self, Indexing::Negative::kFromEnd);
  CRESSET_TRY(add_indices(context, indices, &places));
  if (!ok(out.resize(places.sizes()))) {
    return context.fail(Status::kInvalidArgument, "the output of shape {} cannot take {}",
                        out.sizes(), places.sizes());
  }
  return places.read(context, out);
}

}  // namespace cresset::kernels::portable
