// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/promotion.h"

namespace cresset::ops {

namespace {

Optional<DType> combine(Optional<DType> higher, Optional<DType> lower) {
  if (!higher.has_value()) {
    return lower;
  }
  if (!lower.has_value() || is_complex(*higher)) {
    return higher;
  }
  if (is_floating(*higher) && !is_complex(*lower)) {
    return higher;
  }
  const bool raises = *higher == DType::kBool || is_floating(*lower) || is_complex(*lower);
  return raises ? Optional<DType>(promote(*higher, *lower)) : higher;
}

}  // namespace

DType ResultType::get() const {
  return combine(dimensioned_, combine(zero_dim_, number_)).value_or(DType::kFloat32);
}

}  // namespace cresset::ops
