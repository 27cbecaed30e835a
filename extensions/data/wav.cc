// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/wav.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "extensions/data/file_bytes.h"

namespace cresset::data {
namespace {

constexpr uint32_t kFormatPcm = 1;
constexpr uint32_t kFormatFloat = 3;
constexpr uint32_t kFormatExtensible = 0xfffe;

uint32_t load(const uint8_t* bytes, size_t count) {
  uint32_t value = 0;
  for (size_t i = count; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

bool has_tag(const uint8_t* bytes, const char* tag) { return std::memcmp(bytes, tag, 4) == 0; }

float sample(const uint8_t* bytes, uint32_t format, size_t width) {
  if (format == kFormatFloat) {
    if (width == 8) {
      double value;
      std::memcpy(&value, bytes, 8);
      return static_cast<float>(value);
    }
    float value;
    std::memcpy(&value, bytes, 4);
    return value;
  }
  if (width == 1) {
    return (static_cast<float>(bytes[0]) - 128) / 128;  // 8-bit PCM is unsigned
  }
  // To the top of 32 bits, so that the sign is right for every width.
  const int32_t value = static_cast<int32_t>(load(bytes, width) << (32 - 8 * width));
  return static_cast<float>(value) / 2147483648.0f;
}

}  // namespace

Expected<Sound> parse_wav(Span<const uint8_t> bytes) {
  if (bytes.size() < 12 || !has_tag(bytes.data(), "RIFF") || !has_tag(bytes.data() + 8, "WAVE")) {
    return invalid("not a .wav file");
  }
  Sound sound;
  uint32_t format = 0;
  size_t width = 0;
  size_t at = 12;
  while (bytes.size() - at >= 8) {
    const uint8_t* const chunk = bytes.data() + at;
    const uint8_t* const body = chunk + 8;
    const size_t room = bytes.size() - at - 8;
    const size_t size = std::min<size_t>(load(chunk + 4, 4), room);
    if (has_tag(chunk, "fmt ") && size >= 16) {
      format = load(body, 2);
      sound.channels = static_cast<int>(load(body + 2, 2));
      sound.sample_rate_hz = static_cast<int>(load(body + 4, 4));
      width = load(body + 14, 2) / 8;
      if (format == kFormatExtensible && size >= 26) {
        format = load(body + 24, 2);
      }
    } else if (has_tag(chunk, "data")) {
      const bool known = (format == kFormatPcm && width >= 1 && width <= 4) ||
                         (format == kFormatFloat && (width == 4 || width == 8));
      if (!known || sound.channels == 0) {
        return invalid(
            fmt::format("samples of format {} with {} bits are not supported", format, width * 8));
      }
      const size_t frame = width * static_cast<size_t>(sound.channels);
      const size_t count = size / frame * static_cast<size_t>(sound.channels);
      sound.samples.reserve(count);
      for (size_t i = 0; i < count; ++i) {
        sound.samples.push_back(sample(body + i * width, format, width));
      }
      return sound;
    }
    at += 8 + std::min(room, size + size % 2);
  }
  return invalid("the .wav file has no samples");
}

Expected<Sound> read_wav(const std::string& path) {
  Expected<FileBytes> file = FileBytes::open(path);
  if (!file.ok()) {
    return file.error();
  }
  Expected<Sound> sound = parse_wav(file->bytes());
  return sound.ok() ? std::move(sound) : invalid(path + ": " + sound.error().text);
}

Expected<HostTensor> sound_tensor(const Sound& sound, DType dtype,
                                  const std::vector<int32_t>& sizes) {
  const size_t rank = sizes.size();
  const int32_t channels = rank >= 2 ? sizes[rank - 2] : 1;
  bool fits = rank >= 1 && is_floating(dtype) && (channels == 1 || channels == sound.channels);
  for (size_t i = 0; i + 2 < rank; ++i) {
    fits = fits && sizes[i] == 1;
  }
  if (!fits) {
    return invalid(fmt::format("an input of {} [{}] takes no sound of {} channels",
                               dtype_text(dtype), fmt::join(sizes, ", "), sound.channels));
  }
  HostTensor tensor(DType::kFloat32, sizes);
  const size_t width = static_cast<size_t>(sizes[rank - 1]);
  const size_t source_channels = static_cast<size_t>(sound.channels);
  const size_t frames = std::min(width, sound.samples.size() / source_channels);
  float* const out = tensor.mutable_data<float>();
  for (size_t i = 0; i < frames; ++i) {
    const float* const frame = sound.samples.data() + i * source_channels;
    for (size_t c = 0; c < source_channels; ++c) {
      if (channels == 1) {
        out[i] += frame[c] / static_cast<float>(source_channels);
      } else {
        out[c * width + i] = frame[c];
      }
    }
  }
  return tensor.converted(dtype);
}

}  // namespace cresset::data
