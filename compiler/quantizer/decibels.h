// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>

namespace cresset::quantizer {

// What stands for "no noise at all" in reports.
constexpr double kNoiselessDb = 200;

// Ratio of two powers in dB, at most kNoiselessDb.
inline double decibels(double power, double noise) {
  return noise <= 0   ? kNoiselessDb
         : power <= 0 ? -kNoiselessDb
                      : std::clamp(10 * std::log10(power / noise), -kNoiselessDb, kNoiselessDb);
}

}  // namespace cresset::quantizer
