// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/indexing.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

// out = the row of `weight` for each index.
Status embedding(KernelContext& context, const Tensor& weight, const Tensor& indices, int64_t, bool,
                 bool, Tensor& out) {
  Indexing places(weight, Indexing::Negative::kRefused);
  CRESSET_TRY(add_index_of(context, 0, indices, &places));
  return places.read(context, out);
}

}  // namespace cresset::kernels::portable
