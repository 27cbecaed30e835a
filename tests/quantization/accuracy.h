// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/pipeline.h"
#include "core/error.h"

namespace cresset::tests {

// What the peer's quantizer reaches with the same calibration and test data.
struct PeerFigures {
  double sqnr_db = 0;
  double top1 = 0;  // 0 where classes mean nothing
};

struct Network {
  std::string name;                 // of the model's folder
  std::string set;                  // file or folder
  std::vector<double> scale, zero;  // of its integers, for all or one a channel
  PeerFigures peer_per_channel, peer_per_tensor;
};
const std::vector<Network>& networks();

struct Accuracy {
  double sqnr_db = 0;  // of the scores: what goes into a softmax at the end, else the output
  double top1 = 0;     // agreement of the float and the quantized program
  double largest = 0;  // absolute float score
  uint64_t samples = 0;
  uint64_t float_arena_bytes = 0, arena_bytes = 0;
  uint64_t quantized_nodes = 0;
  double float_seconds = 0, seconds = 0;  // of the runs over the test data
};

// Compiles the network twice, quantized by `options` with the set's calibration data and in float,
// and compares the programs on its test data.
Expected<Accuracy> measure(const Network& network, const std::string& models,
                           const std::string& sets, const quantizer::Options& options);

}  // namespace cresset::tests
