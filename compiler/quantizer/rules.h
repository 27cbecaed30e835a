// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/ir/graph.h"
#include "compiler/quantizer/observer.h"

// rules.def as the quantizer reads it.
namespace cresset::quantizer {

struct Rule {
  enum class Kind : uint8_t {
    kProduct,
    kMatmul,
    kBinary,
    kClamp,
    kTable,
    kPool,
    kPass,
    kConcat,
    kSoftmax
  };
  Kind kind = Kind::kTable;
  size_t weight_axis = 0;  // of a product: the weights' axis that counts output channels
  bool fixed = false;      // the range of results is [low, high], whatever was observed
  double low = 0, high = 0;
};

// Null: the operator stays in float.
const Rule* find_rule(ops::Op op);

// Why this very call of an operator with a rule cannot be quantized; empty where it can.
std::string refusal(const ir::Node& node, const Rule& rule);

// Whether the node is an elementwise function of its first argument alone: what a clamp that is not
// part of another node is, and a sum with a number.
bool is_function_of_one(const ir::Node& node, const Rule& rule);

}  // namespace cresset::quantizer
