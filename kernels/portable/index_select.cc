// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/dims.h"
#include "kernels/common/indexing.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

namespace {

// A tensor, or where it has no dimensions the same as one of size 1.
class AtLeast1d {
 public:
  explicit AtLeast1d(const Tensor& tensor)
      : tensor_(tensor),
        vector_(tensor.dtype(), kOne, const_cast<void*>(tensor.raw_data()),
                dtype_bytes(tensor.dtype())) {}
  const Tensor& operator*() { return tensor_.rank() == 0 ? *vector_ : tensor_; }

 private:
  static constexpr int32_t kOne[1] = {1};
  const Tensor& tensor_;
  LocalTensor vector_;
};

}  // namespace

// out = the slices of self at `index` along a dimension.
Status index_select(KernelContext& context, const Tensor& self, int64_t dim, const Tensor& index,
                    Tensor& out) {
  AtLeast1d whole(self), items(index);
  Indexing places(*whole, Indexing::Negative::kRefused);
  CRESSET_TRY(add_index_of(context, wrapped(dim, self.rank()), *items, &places));
  return places.read(context, out);
}

}  // namespace cresset::kernels::portable
