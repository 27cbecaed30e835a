// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "extensions/data/host_tensor.h"

namespace cresset::data {

// How a picture's size is brought to the input's.
enum class Fit : uint8_t {
  kCrop,     // scale until it covers the input, then cut equally on both sides
  kStretch,  // scale both sides independently
};

// From a picture's channel c in 0..255 to an element: (value * scale - mean[c]) / stddev[c]. One
// entry of mean or stddev serves all channels.
struct ImageOptions {
  double scale = 1.0 / 255;
  std::vector<double> mean = {0};
  std::vector<double> stddev = {1};
  Fit fit = Fit::kCrop;
};

// Loads a .png, .jpg or any other format of stb_image as a tensor with this dtype, shape and dim
// order: [C, H, W] or [H, W, C], with or without leading dimensions of size 1, where C is 1
// (grey), 3 (RGB) or 4 (RGBA) and is looked for in the first place first. Integer dtypes round.
// Scaled with a triangle filter that widens when the picture shrinks.
Expected<HostTensor> read_image(const std::string& path, DType dtype,
                                const std::vector<int32_t>& sizes,
                                const std::vector<uint8_t>& dim_order, const ImageOptions& options);

}  // namespace cresset::data
