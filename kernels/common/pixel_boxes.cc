// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/pixel_boxes.h"

namespace cresset::kernels {

Status pixel_boxes(KernelContext& context, const Tensor& fine, const Tensor& deep, int64_t r,
                   Box* fine_box, Box* deep_box) {
  const size_t rank = fine.rank();
  if (rank + 2 > kMaxRank) {
    return context.fail(Status::kNotSupported, "rank {}; at most {} is supported", rank,
                        kMaxRank - 2);
  }
  for (size_t d = 0; d + 3 < rank; ++d) {
    fine_box->push(fine.size(d), fine.stride(d));
    deep_box->push(fine.size(d), deep.stride(d));
  }
  const size_t c = rank - 3, h = rank - 2, w = rank - 1;
  fine_box->push(fine.size(c), fine.stride(c));
  deep_box->push(fine.size(c), deep.stride(c) * r * r);
  fine_box->push(r, fine.stride(h));
  deep_box->push(r, deep.stride(c) * r);
  fine_box->push(r, fine.stride(w));
  deep_box->push(r, deep.stride(c));
  fine_box->push(deep.size(h), fine.stride(h) * r);
  deep_box->push(deep.size(h), deep.stride(h));
  fine_box->push(deep.size(w), fine.stride(w) * r);
  deep_box->push(deep.size(w), deep.stride(w));
  return Status::kOk;
}

}  // namespace cresset::kernels
