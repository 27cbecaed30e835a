// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/image.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "extensions/data/file_bytes.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace cresset::data {
namespace {

// Where the picture lies in the input's shape.
struct Frame {
  size_t channel_dim;
  size_t height_dim;
  size_t width_dim;
};

bool is_channel_count(int32_t size) { return size == 1 || size == 3 || size == 4; }

std::optional<Frame> find_frame(const std::vector<int32_t>& sizes) {
  const size_t rank = sizes.size();
  if (rank < 2) {
    return std::nullopt;
  }
  const size_t leading = rank >= 3 ? rank - 3 : 0;
  for (size_t i = 0; i < leading; ++i) {
    if (sizes[i] != 1) {
      return std::nullopt;
    }
  }
  if (rank == 2) {
    return Frame{rank, 0, 1};
  }
  if (is_channel_count(sizes[rank - 3])) {
    return Frame{rank - 3, rank - 2, rank - 1};
  }
  if (is_channel_count(sizes[rank - 1])) {
    return Frame{rank - 1, rank - 3, rank - 2};
  }
  return std::nullopt;
}

// One output position's share of a row or column: weights of `first`, first + 1, ...
struct Taps {
  int first = 0;
  std::vector<float> weights;
};

// The triangle filter over [start, start + length) of `available` pixels, sampled at `count`
// places.
std::vector<Taps> make_taps(int available, double start, double length, int count) {
  std::vector<Taps> taps(static_cast<size_t>(count));
  const double step = length / count;
  const double radius = std::max(1.0, step);
  for (int i = 0; i < count; ++i) {
    const double center = start + (i + 0.5) * step;
    const int first = std::max(0, static_cast<int>(std::floor(center - radius)));
    const int last = std::min(available, static_cast<int>(std::ceil(center + radius)));
    Taps& tap = taps[static_cast<size_t>(i)];
    tap.first = first;
    double sum = 0;
    for (int x = first; x < last; ++x) {
      const double weight = std::max(0.0, 1 - std::abs(x + 0.5 - center) / radius);
      tap.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : tap.weights) {
      weight = static_cast<float>(weight / sum);
    }
  }
  return taps;
}

struct Picture {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<float> pixels;  // row by row, channels innermost, 0..255
};

Picture resize(const uint8_t* pixels, int width, int height, int channels, int to_width,
               int to_height, Fit fit) {
  double start_x = 0;
  double start_y = 0;
  double length_x = width;
  double length_y = height;
  if (fit == Fit::kCrop) {
    const double scale = std::min(length_x / to_width, length_y / to_height);
    start_x = (length_x - scale * to_width) / 2;
    start_y = (length_y - scale * to_height) / 2;
    length_x = scale * to_width;
    length_y = scale * to_height;
  }
  const std::vector<Taps> columns = make_taps(width, start_x, length_x, to_width);
  const std::vector<Taps> rows = make_taps(height, start_y, length_y, to_height);
  const size_t row_elems = static_cast<size_t>(to_width) * static_cast<size_t>(channels);
  const int first_row = rows.front().first;
  const int last_row = rows.back().first + static_cast<int>(rows.back().weights.size());
  std::vector<float> narrow(row_elems * static_cast<size_t>(last_row - first_row));
  for (int y = first_row; y < last_row; ++y) {
    float* out = narrow.data() + row_elems * static_cast<size_t>(y - first_row);
    for (const Taps& tap : columns) {
      for (int c = 0; c < channels; ++c) {
        const uint8_t* in =
            pixels +
            (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(tap.first)) *
                static_cast<size_t>(channels) +
            c;
        float sum = 0;
        for (const float weight : tap.weights) {
          sum += weight * *in;
          in += channels;
        }
        *out++ = sum;
      }
    }
  }
  Picture result{to_width, to_height, channels, {}};
  result.pixels.assign(row_elems * static_cast<size_t>(to_height), 0.0f);
  float* out = result.pixels.data();
  for (const Taps& tap : rows) {
    for (size_t i = 0; i < tap.weights.size(); ++i) {
      const float* in =
          narrow.data() + row_elems * (static_cast<size_t>(tap.first - first_row) + i);
      for (size_t x = 0; x < row_elems; ++x) {
        out[x] += tap.weights[i] * in[x];
      }
    }
    out += row_elems;
  }
  return result;
}

double of_channel(const std::vector<double>& values, size_t channel) {
  return values.size() == 1 ? values[0] : values[channel];
}

}  // namespace

Expected<HostTensor> read_image(const std::string& path, DType dtype,
                                const std::vector<int32_t>& sizes,
                                const std::vector<uint8_t>& dim_order,
                                const ImageOptions& options) {
  const std::optional<Frame> frame = find_frame(sizes);
  if (!frame || !(is_floating(dtype) || is_integral(dtype))) {
    return invalid(fmt::format(
        "{}: an input of {} [{}] takes no picture (its shape must be [C, H, W] or [H, W, C] "
        "behind ones, C being 1, 3 or 4)",
        path, dtype_text(dtype), fmt::join(sizes, ", ")));
  }
  const int channels = frame->channel_dim < sizes.size() ? sizes[frame->channel_dim] : 1;
  const size_t channel_count = static_cast<size_t>(channels);
  for (const auto* values : {&options.mean, &options.stddev}) {
    if (values->size() != 1 && values->size() != channel_count) {
      return invalid(
          fmt::format("--mean and --std take 1 or {} numbers, got {}", channels, values->size()));
    }
  }
  Expected<FileBytes> file = FileBytes::open(path);
  if (!file.ok()) {
    return file.error();
  }
  if (file->size() > INT32_MAX) {
    return invalid(path + ": larger than 2 GiB");
  }
  int width = 0;
  int height = 0;
  const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
      stbi_load_from_memory(file->bytes().data(), static_cast<int>(file->size()), &width, &height,
                            nullptr, channels),
      stbi_image_free);
  if (pixels == nullptr) {
    return invalid(
        fmt::format("{}: not a picture that can be read: {}", path, stbi_failure_reason()));
  }
  const int to_height = sizes[frame->height_dim];
  const int to_width = sizes[frame->width_dim];
  HostTensor planes(DType::kFloat32, sizes, {});
  if (planes.numel() == 0) {
    return planes.converted(dtype);
  }
  const Picture picture =
      resize(pixels.get(), width, height, channels, to_width, to_height, options.fit);
  const bool planar = frame->channel_dim < frame->height_dim;
  const size_t plane = static_cast<size_t>(to_height) * static_cast<size_t>(to_width);
  float* const out = planes.mutable_data<float>();
  for (size_t c = 0; c < channel_count; ++c) {
    const float scale = static_cast<float>(options.scale / of_channel(options.stddev, c));
    const float shift =
        static_cast<float>(-of_channel(options.mean, c) / of_channel(options.stddev, c));
    for (size_t i = 0; i < plane; ++i) {
      const float value = picture.pixels[i * channel_count + c] * scale + shift;
      out[planar ? c * plane + i : i * channel_count + c] =
          is_floating(dtype) ? value : std::nearbyint(value);
    }
  }
  HostTensor result = planes.converted(dtype);
  return dim_order == result.dim_order() ? std::move(result) : result.reordered(dim_order);
}

}  // namespace cresset::data
