// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>

#include "kernels/common/arithmetic.h"

// Functions that several activations share; T is float or double.
namespace cresset::kernels {

template <class T>
T sigmoid_of(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

// x within [low, high], numbers both; high where they cross; NaN where x is NaN. Written so that it
// becomes two vector instructions.
template <class T>
T clamp_to(T x, T low, T high) {
  const T above = x < low ? low : x;
  return above > high ? high : above;
}

// x within [low, high]; high where the bounds cross; NaN where any of the three is NaN.
template <class T>
T clamp_of(T x, T low, T high) {
  return smaller_of(greater_of(x, low), high);
}

}  // namespace cresset::kernels
