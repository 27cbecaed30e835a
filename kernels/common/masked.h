// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

// A tensor and a mask that broadcast with one another, walked together in row-major order.
class MaskedPair {
 public:
  // Fails where the mask is not bool or the shapes do not broadcast.
  Status broadcast(KernelContext& context, const Tensor& tensor, const Tensor& mask);

  // f(bytes from the tensor's data) for each place where the mask is true.
  template <class F>
  void for_each_true(const Tensor& mask, F&& f) const {
    const bool* const data = mask.data<bool>();
    nest_.for_each_run([&](const ptrdiff_t* offsets) {
      for (int64_t i = 0; i < nest_.inner_size(); ++i) {
        const ptrdiff_t at = static_cast<ptrdiff_t>(i);
        if (data[offsets[1] + at * nest_.inner_stride(1)]) {
          f(offsets[0] + at * nest_.inner_stride(0));
        }
      }
    });
  }

 private:
  LoopNest<2> nest_;
};

}  // namespace cresset::kernels
