// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// What is learnt about a tensor while calibration data runs through the model, and the range of
// numbers that its integers are then made to cover.
namespace cresset::quantizer {

// How real numbers and integers go together: real = (integer - zero) * scale.
struct QParams {
  double scale = 1;  // > 0, a float32
  int64_t zero = 0;
  int64_t min = -128, max = 127;  // the integers that are used

  double low() const { return static_cast<double>(min - zero) * scale; }
  double high() const { return static_cast<double>(max - zero) * scale; }
  friend bool operator==(const QParams& a, const QParams& b) = default;
};

// The affine parameters that cover [low, high] and hold 0 exactly.
QParams affine_qparams(double low, double high, int64_t min = -128, int64_t max = 127);

// How a range is chosen from what was observed.
enum class RangeRule : uint8_t {
  kMinMax,         // everything that was seen
  kMovingAverage,  // of the calls' least and greatest numbers, the first call's weighing most
  kPercentile,     // all but 0.01 % on either side
  kMse,            // the least squared error over all numbers seen
};
// "min-max", "moving-average", "percentile", "mse"; false for any other name.
bool read_range_rule(std::string_view name, RangeRule* rule);
std::string_view name_of(RangeRule rule);

// Collects a tensor's numbers call by call, in constant memory.
class Observer {
 public:
  // One call's elements. Those that are not finite are counted and otherwise ignored. Extremes are
  // of all; of a very large tensor, the distribution is of elements picked evenly.
  void add(const float* elements, size_t count);
  // The same, and the sums of each of `channels` channels, which lie `inner` elements long, one
  // behind the other, over and over.
  void add(const float* elements, size_t count, size_t channels, size_t inner);

  uint64_t count() const { return count_; }
  uint64_t not_finite() const { return not_finite_; }
  double min() const { return min_; }
  double max() const { return max_; }
  // Mean of each channel, if channels were given.
  std::vector<double> channel_means() const;
  // The numbers below which, and above which, the fraction `tail` of all lies.
  double low(double tail) const { return quantile(tail); }
  double high(double tail) const { return quantile(1 - tail); }

  QParams choose(RangeRule rule) const;
  // Mean square of the numbers, and of what these parameters make wrong of them.
  double power() const;
  double error(const QParams& q) const;
  // Of the numbers other than 0 that are below a hundredth of the greatest which these parameters
  // hold: the fraction that becomes 0. About 0.2 to 0.5 for activations, 1 where all these are
  // tiny. 0 where so few numbers are small that it does not matter.
  double lost(const QParams& q) const;

 private:
  struct Bin {
    uint64_t count = 0;
    double sum = 0;
  };

  void cover(double low, double high);
  void widen(bool downwards);
  double quantile(double fraction) const;
  QParams least_error() const;

  uint64_t count_ = 0, not_finite_ = 0, calls_ = 0;
  uint64_t binned_ = 0;                       // how many of `count_` are in the bins
  uint64_t zeros_ = 0;                        // how many of these are 0
  double min_ = 0, max_ = 0;                  // of all calls
  double average_min_ = 0, average_max_ = 0;  // moving averages of the calls'
  double origin_ = 0, width_ = 0;             // of bin 0; of each bin
  std::vector<Bin> bins_;
  std::vector<double> channel_sums_;
};

}  // namespace cresset::quantizer
