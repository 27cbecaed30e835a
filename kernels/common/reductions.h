// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/kernel_context.h"
#include "core/tensor.h"

// Reductions over the dimensions in `mask` (a bit each, bits behind the rank ignored), shared by
// the operators that spell them differently. Outputs have been sized by inference.
namespace cresset::kernels {

enum class Which : uint8_t { kGreatest, kLeast };

// The greatest or least element and the row-major index, among the reduced dimensions, of the first
// such; either output may be null. NaN is greater and less than everything. Dimensions of size 0
// have been refused.
Status reduce_extreme(KernelContext& context, const Tensor& self, uint32_t mask, Which which,
                      Tensor* values, Tensor* indices);

enum class Truth : uint8_t { kAny, kAll };

// Whether any or all elements are not zero; out is bool or uint8.
Status reduce_truth(KernelContext& context, const Tensor& self, uint32_t mask, Truth truth,
                    Tensor& out);

enum class Total : uint8_t { kSum, kMean };

// Elements are converted to out's dtype first. The sum of none is 0, the mean NaN.
Status reduce_sum(KernelContext& context, const Tensor& self, uint32_t mask, Total total,
                  Tensor& out);

// Elements are converted to out's dtype first. The product of none is 1.
Status reduce_product(KernelContext& context, const Tensor& self, uint32_t mask, Tensor& out);

// Squared deviations from the mean, divided by the count less `correction`; `mean` may be null.
Status reduce_variance(KernelContext& context, const Tensor& self, uint32_t mask, double correction,
                       Tensor& variance, Tensor* mean);

}  // namespace cresset::kernels
