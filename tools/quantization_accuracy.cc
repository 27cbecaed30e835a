// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0
//
// How much static int8 costs, network by network, beside what the peer's quantizer costs on the
// same data:
//
//   quantization_accuracy [--models DIR] [--sets DIR] [--network PATTERN] [--per-tensor] ...
//
// tests/quantization/networks.def lists the networks, their data and the peer's figures. A set is a
// .safetensors file with the tensors `calibration`, `test` and perhaps `test_f32`, or a folder of
// pictures with the folders `calibration` and `test`. SQNR and top-1 agreement are of the network's
// scores: what goes into a softmax at its end.

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "tests/quantization/accuracy.h"

int main(int argc, char** argv) {
  using namespace cresset;
  std::string models = "build/corpus/models";
  std::string sets = "tests/data/quantization";
  std::string only;
  std::string ranges = "mse";
  std::string weights = "mse";
  quantizer::Options options;
  options.scheme = "int8";
  bool no_bias = false;
  double drop = -1;
  CLI::App app{"Static int8 beside the peer's, network by network"};
  app.add_option("--models", models, "Folder of the corpus' models")->capture_default_str();
  app.add_option("--sets", sets, "Folder of calibration and test sets")->capture_default_str();
  app.add_option("--network", only, "Only networks with this in their names");
  app.add_option("--ranges", ranges, "min-max, moving-average, percentile, mse");
  app.add_option("--weights", weights, "min-max, mse");
  app.add_flag("--per-tensor", options.per_tensor);
  app.add_flag("--no-bias-correction", no_bias);
  app.add_option("--max-drop", drop);
  CLI11_PARSE(app, argc, argv);
  options.correct_bias = !no_bias;
  if (drop >= 0) {
    options.max_drop_db = drop;
  }
  if (!quantizer::read_range_rule(ranges, &options.ranges) ||
      !quantizer::read_weight_rule(weights, &options.weights)) {
    fmt::print(stderr, "no such rule\n");
    return 2;
  }
  int failed = 0;
  fmt::print("{:<30} {:<11} {:>8} {:>8} {:>7} {:>7} {:>10} {:>10} {:>6}\n", "network", "scheme",
             "sqnr_db", "peer", "top1", "peer", "arena_f32", "arena_i8", "units");
  for (const tests::Network& network : tests::networks()) {
    if (network.name.find(only) == std::string::npos) {
      continue;
    }
    const Expected<tests::Accuracy> accuracy = tests::measure(network, models, sets, options);
    if (!accuracy.ok()) {
      fmt::print("{:<30} {}\n", network.name, accuracy.error().text);
      ++failed;
      continue;
    }
    const tests::PeerFigures& peer =
        options.per_tensor ? network.peer_per_tensor : network.peer_per_channel;
    fmt::print("{:<30} {:<11} {:>8.2f} {:>8.2f} {:>7.4f} {:>7.4f} {:>10} {:>10} {:>6}\n",
               network.name, options.per_tensor ? "per tensor" : "per channel", accuracy->sqnr_db,
               peer.sqnr_db, accuracy->top1, peer.top1, accuracy->float_arena_bytes,
               accuracy->arena_bytes, accuracy->quantized_nodes);
  }
  return failed == 0 ? 0 : 1;
}
