// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/quantization/accuracy.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace cresset::tests {
namespace {

class QuantizedNetwork : public testing::TestWithParam<std::tuple<size_t, bool>> {};

// At least as close to the float network as the peer's quantizer comes with the same data.
TEST_P(QuantizedNetwork, IsNoWorseThanThePeers) {
  const auto [index, per_tensor] = GetParam();
  const Network& network = networks()[index];
  const std::string models = CRESSET_CORPUS_DIR "/models";
  if (!std::filesystem::exists(models + "/" + network.name)) {
    GTEST_SKIP() << "no corpus at " << models;
  }
  quantizer::Options options;
  options.scheme = "int8";
  options.per_tensor = per_tensor;
  const Expected<Accuracy> accuracy =
      measure(network, models, CRESSET_SOURCE_DIR "/tests/data/quantization", options);
  ASSERT_TRUE(accuracy.ok()) << accuracy.error().text;
  const PeerFigures& peer = per_tensor ? network.peer_per_tensor : network.peer_per_channel;
  EXPECT_GE(accuracy->sqnr_db, peer.sqnr_db);
  EXPECT_GE(accuracy->top1, peer.top1 - 5e-5);  // four digits are known
  // Nothing is left in float: numbers take a quarter of the bytes, but for inputs and outputs.
  EXPECT_LT(accuracy->arena_bytes, accuracy->float_arena_bytes / 2 + 1024 * 4);
}

INSTANTIATE_TEST_SUITE_P(Networks, QuantizedNetwork,
                         testing::Combine(testing::Range(size_t{0}, networks().size()),
                                          testing::Bool()),
                         [](const auto& test) {
                           return networks()[std::get<0>(test.param)].name +
                                  (std::get<1>(test.param) ? "_per_tensor" : "_per_channel");
                         });

}  // namespace
}  // namespace cresset::tests
