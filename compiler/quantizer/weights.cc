// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/eval/datum.h"
#include "compiler/quantizer/decibels.h"

namespace cresset::quantizer {

namespace {

constexpr float kLargest = 127;
// As in observer.cc: a channel of zeros needs a scale, too.
constexpr float kLeastScale = 1e-10f;

// Where the elements of a channel lie: runs of `inner`, `stride` apart.
struct Channels {
  size_t count = 1, inner = 1, runs = 1;

  template <class F>
  void for_each(size_t channel, F&& f) const {
    for (size_t r = 0; r < runs; ++r) {
      const size_t from = (r * count + channel) * inner;
      for (size_t i = from; i < from + inner; ++i) {
        f(i);
      }
    }
  }
};

double rounded(float x, double scale) {
  return std::clamp<double>(std::nearbyint(x / scale), -kLargest, kLargest);
}

float scale_of(const Channels& channels, size_t c, const std::vector<float>& w, WeightRule rule,
               float least_scale) {
  float largest = 0;
  channels.for_each(c, [&](size_t i) { largest = std::max(largest, std::fabs(w[i])); });
  const float widest = std::max(largest / kLargest, least_scale);
  if (rule == WeightRule::kMinMax || widest == least_scale) {
    return widest;
  }
  float best = widest;
  float least = -1;
  for (int step = 100; step >= 70; step -= 2) {
    const float scale = std::max(widest * static_cast<float>(step) / 100, least_scale);
    const float inverse = 1 / scale;
    float error = 0;
    channels.for_each(c, [&](size_t i) {
      // Adding and taking away 1.5 * 2^23 rounds to an integer.
      const float n = (w[i] * inverse + 0x1.8p23f) - 0x1.8p23f;
      const float e = std::clamp(n, -kLargest, kLargest) * scale - w[i];
      error += e * e;
    });
    if (least < 0 || error < least) {
      least = error;
      best = scale;
    }
  }
  return best;
}

}  // namespace

bool read_weight_rule(std::string_view name, WeightRule* rule) {
  *rule = name == "mse" ? WeightRule::kMse : WeightRule::kMinMax;
  return name == "mse" || name == "min-max";
}

std::vector<float> floats_of(const ir::ConstantPtr& constant) {
  std::vector<uint8_t> row_major(constant->type.sizes.size());
  for (size_t i = 0; i < row_major.size(); ++i) {
    row_major[i] = static_cast<uint8_t>(i);
  }
  const ir::ConstantPtr ordered =
      constant->type.order() == row_major ? constant : eval::reordered(constant, row_major);
  std::vector<float> elements(ordered->size_bytes / sizeof(float));
  if (!elements.empty()) {
    std::memcpy(elements.data(), ordered->bytes, elements.size() * sizeof(float));
  }
  return elements;
}

QuantizedWeight quantize_weight(const ir::ConstantPtr& weight, std::optional<size_t> axis,
                                WeightRule rule, const std::vector<float>& least) {
  const std::vector<float> w = floats_of(weight);
  Channels channels;
  channels.inner = w.size();
  if (axis) {
    const std::vector<ir::Dim>& sizes = weight->type.sizes;
    channels.count = static_cast<size_t>(*sizes[*axis].known());
    channels.inner = 1;
    for (size_t d = *axis + 1; d < sizes.size(); ++d) {
      channels.inner *= static_cast<size_t>(*sizes[d].known());
    }
    channels.runs = w.size() / std::max<size_t>(channels.count * channels.inner, 1);
  }
  QuantizedWeight result;
  result.axis = axis;
  std::vector<int8_t> integers(w.size());
  double power = 0;
  double noise = 0;
  for (size_t c = 0; c < channels.count; ++c) {
    const float floor = c < least.size() ? std::max(least[c], kLeastScale) : kLeastScale;
    const float scale = scale_of(channels, c, w, rule, floor);
    result.scales.push_back(scale);
    channels.for_each(c, [&](size_t i) {
      const double n = rounded(w[i], scale);
      integers[i] = static_cast<int8_t>(n);
      power += static_cast<double>(w[i]) * w[i];
      noise += (n * scale - w[i]) * (n * scale - w[i]);
    });
  }
  result.sqnr_db = decibels(power, noise);
  ir::TensorType type{DType::kInt8, weight->type.sizes, {}};
  result.integers =
      ir::make_constant(weight->name, std::move(type), integers.data(), integers.size());
  return result;
}

}  // namespace cresset::quantizer
