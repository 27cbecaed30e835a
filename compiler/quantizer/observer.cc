// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/observer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cresset::quantizer {

namespace {

// Sixteen bins a step of an 8-bit range that covers them all.
constexpr size_t kBins = 4096;
// Elements of one call beyond which the distribution does not get better, only slower.
constexpr size_t kBinnedElements = 1 << 15;
constexpr double kAveraging = 0.01;
constexpr double kPercentileTail = 1e-4;
// Smaller scales have reciprocals that float32 does not hold well.
constexpr double kLeastScale = 1e-10;

constexpr struct {
  RangeRule rule;
  std::string_view name;
} kRules[] = {
    {RangeRule::kMinMax, "min-max"},
    {RangeRule::kMovingAverage, "moving-average"},
    {RangeRule::kPercentile, "percentile"},
    {RangeRule::kMse, "mse"},
};

// What counts as small, and from which share of all numbers on it matters.
constexpr double kSmallPart = 0.01;
constexpr double kSmallShare = 0.05;

double squared(double x) { return x * x; }

}  // namespace

QParams affine_qparams(double low, double high, int64_t min, int64_t max) {
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  QParams q;
  q.min = min;
  q.max = max;
  const double steps = static_cast<double>(max - min);
  q.scale = static_cast<float>(std::max((high - low) / steps, kLeastScale));
  const double zero = std::nearbyint(static_cast<double>(min) - low / q.scale);
  q.zero =
      static_cast<int64_t>(std::clamp(zero, static_cast<double>(min), static_cast<double>(max)));
  return q;
}

bool read_range_rule(std::string_view name, RangeRule* rule) {
  for (const auto& known : kRules) {
    if (known.name == name) {
      *rule = known.rule;
      return true;
    }
  }
  return false;
}

std::string_view name_of(RangeRule rule) {
  return std::find_if(std::begin(kRules), std::end(kRules),
                      [&](const auto& known) { return known.rule == rule; })
      ->name;
}

// Doubles the width of all bins: the range grows to the left or to the right by as much as it was.
void Observer::widen(bool downwards) {
  std::vector<Bin> wider(kBins);
  const size_t shift = downwards ? kBins / 2 : 0;
  for (size_t i = 0; i < kBins; ++i) {
    wider[shift + i / 2].count += bins_[i].count;
    wider[shift + i / 2].sum += bins_[i].sum;
  }
  bins_ = std::move(wider);
  if (downwards) {
    origin_ -= width_ * static_cast<double>(kBins);
  }
  width_ *= 2;
}

void Observer::cover(double low, double high) {
  if (bins_.empty()) {
    bins_.resize(kBins);
    origin_ = low;
    // A little more than the range, so that `high` falls into the last bin.
    const double range = std::max(high - low, std::max(std::fabs(low) * 1e-6, 1e-30));
    width_ = range * (1 + 1e-9) / static_cast<double>(kBins);
  }
  while (low < origin_) {
    widen(true);
  }
  while (high >= origin_ + width_ * static_cast<double>(kBins)) {
    widen(false);
  }
}

void Observer::add(const float* elements, size_t count) {
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  size_t finite = 0;
  for (size_t i = 0; i < count; ++i) {
    const float x = elements[i];
    const bool counts = x - x == 0;
    finite += counts;
    low = counts && x < low ? x : low;
    high = counts && x > high ? x : high;
  }
  not_finite_ += count - finite;
  if (finite == 0) {
    return;
  }
  cover(low, high);
  if (calls_ == 0) {
    min_ = average_min_ = low;
    max_ = average_max_ = high;
  } else {
    min_ = std::min<double>(min_, low);
    max_ = std::max<double>(max_, high);
    average_min_ += kAveraging * (low - average_min_);
    average_max_ += kAveraging * (high - average_max_);
  }
  ++calls_;
  count_ += finite;
  const double factor = 1 / width_;
  // Odd, so that it does not follow the rows of pictures.
  const size_t step = (count / kBinnedElements) | 1;
  for (size_t i = 0; i < count; i += step) {
    const float x = elements[i];
    if (finite != count && !(x - x == 0)) {
      continue;
    }
    ++binned_;
    zeros_ += x == 0;
    const int place = static_cast<int>((x - origin_) * factor);
    Bin& bin = bins_[static_cast<size_t>(std::clamp(place, 0, static_cast<int>(kBins) - 1))];
    ++bin.count;
    bin.sum += x;
  }
}

void Observer::add(const float* elements, size_t count, size_t channels, size_t inner) {
  add(elements, count);
  channel_sums_.resize(channels);
  for (size_t i = 0; i + inner <= count; i += inner) {
    double sum = 0;
    for (size_t k = i; k < i + inner; ++k) {
      sum += std::isfinite(elements[k]) ? elements[k] : 0;
    }
    channel_sums_[i / inner % channels] += sum;
  }
}

std::vector<double> Observer::channel_means() const {
  std::vector<double> means = channel_sums_;
  for (double& mean : means) {
    mean *= static_cast<double>(means.size()) / static_cast<double>(std::max<uint64_t>(count_, 1));
  }
  return means;
}

double Observer::quantile(double fraction) const {
  const double wanted = fraction * static_cast<double>(binned_);
  double below = 0;
  for (size_t i = 0; i < bins_.size(); ++i) {
    const double here = static_cast<double>(bins_[i].count);
    if (here > 0 && below + here >= wanted) {
      const double part = std::clamp((wanted - below) / here, 0.0, 1.0);
      return std::clamp(origin_ + width_ * (static_cast<double>(i) + part), min_, max_);
    }
    below += here;
  }
  return max_;
}

double Observer::power() const {
  double sum = 0;
  for (const Bin& bin : bins_) {
    sum += bin.count == 0 ? 0 : bin.sum * bin.sum / static_cast<double>(bin.count);
  }
  return binned_ == 0 ? 0 : sum / static_cast<double>(binned_);
}

double Observer::error(const QParams& q) const {
  double sum = 0;
  const double inverse = 1 / q.scale;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) {
      continue;
    }
    const double x = bin.sum / static_cast<double>(bin.count);
    const double n = std::clamp(std::nearbyint(x * inverse) + static_cast<double>(q.zero),
                                static_cast<double>(q.min), static_cast<double>(q.max));
    sum +=
        static_cast<double>(bin.count) * squared((n - static_cast<double>(q.zero)) * q.scale - x);
  }
  return binned_ == 0 ? 0 : sum / static_cast<double>(binned_);
}

double Observer::lost(const QParams& q) const {
  const double bound = std::max(-q.low(), q.high()) * kSmallPart;
  uint64_t zero = 0;
  uint64_t small = 0;
  for (const Bin& bin : bins_) {
    const double x = std::fabs(bin.sum) / static_cast<double>(std::max<uint64_t>(bin.count, 1));
    small += x < bound ? bin.count : 0;
    zero += x < q.scale / 2 ? bin.count : 0;
  }
  // Those that are 0 to begin with are among both.
  if (static_cast<double>(small) - static_cast<double>(zeros_) <=
      kSmallShare * static_cast<double>(binned_ - zeros_)) {
    return 0;
  }
  return static_cast<double>(zero - std::min(zero, zeros_)) / static_cast<double>(small - zeros_);
}

// Both ends move inwards, first in coarse steps, then in finer ones around the best pair.
QParams Observer::least_error() const {
  const double low = std::min(min_, 0.0);
  const double high = std::max(max_, 0.0);
  double best_low = 1;
  double best_high = 1;  // fractions of low and high
  QParams best = affine_qparams(low, high);
  double least = error(best);
  double step = 0.1;
  for (int round = 0; round < 4; ++round, step /= 3) {
    const double from_low = best_low;
    const double from_high = best_high;
    const int reach = round == 0 ? 9 : 3;
    for (int i = -reach; i <= (round == 0 ? 0 : reach); ++i) {
      for (int k = -reach; k <= (round == 0 ? 0 : reach); ++k) {
        const double a = from_low + step * i;
        const double b = from_high + step * k;
        if (a <= 0 || b <= 0 || a > 1 || b > 1 || (low == 0 && i != 0) || (high == 0 && k != 0)) {
          continue;
        }
        const QParams candidate = affine_qparams(low * a, high * b);
        const double e = error(candidate);
        if (e < least) {
          least = e;
          best = candidate;
          best_low = a;
          best_high = b;
        }
      }
    }
  }
  return best;
}

QParams Observer::choose(RangeRule rule) const {
  switch (rule) {
    case RangeRule::kMinMax:
      break;
    case RangeRule::kMovingAverage:
      return affine_qparams(average_min_, average_max_);
    case RangeRule::kPercentile:
      return affine_qparams(low(kPercentileTail), high(kPercentileTail));
    case RangeRule::kMse:
      return least_error();
  }
  return affine_qparams(min_, max_);
}

}  // namespace cresset::quantizer
