// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "extensions/data/host_tensor.h"

namespace cresset::data {

// Mono or interleaved sound.
struct Sound {
  int sample_rate_hz = 0;
  int channels = 0;
  std::vector<float> samples;  // frame by frame, in -1..1
};

// Reads a RIFF .wav file: PCM of 8, 16, 24 or 32 bits, floats of 32 or 64 bits.
Expected<Sound> read_wav(const std::string& path);
Expected<Sound> parse_wav(Span<const uint8_t> bytes);

// The sound as a tensor of this floating dtype and shape: [N] or [C, N] with leading dimensions of
// size 1. Channels are averaged where the shape has one. Longer sounds are cut, shorter ones get
// silence at the end.
Expected<HostTensor> sound_tensor(const Sound& sound, DType dtype,
                                  const std::vector<int32_t>& sizes);

}  // namespace cresset::data
