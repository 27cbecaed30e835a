// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/kernel_context.h"
#include "core/tensor.h"

// Random numbers: Philox 4x32-10 (Salmon et al., 2011) with a fixed key. The counter's low half
// numbers the blocks of one call, its high half the calls of the process, so that a program gives
// the same numbers each time it is started, and no two calls of one thread share any. Not for
// secrets; not the numbers that PyTorch gives.
namespace cresset::kernels {

// The numbers of one call.
class Random {
 public:
  // Takes the next stream.
  Random();
  uint32_t next();
  // Uniform on [0, 1): a multiple of 2^-bits, bits <= 53.
  double uniform(int bits);
  // Of the standard normal distribution (Box and Muller).
  double normal();

 private:
  void refill();

  uint32_t stream_;
  uint64_t block_ = 0;
  uint32_t words_[4] = {};
  unsigned used_ = 4;
  double spare_ = 0;
  bool has_spare_ = false;
};

// Fills a floating tensor with uniform or normal numbers.
Status fill_random(KernelContext& context, Tensor& out, double (*draw)(Random&, DType));

}  // namespace cresset::kernels
