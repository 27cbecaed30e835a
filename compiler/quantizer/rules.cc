// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/rules.h"

#include <cmath>
#include <cstring>
#include <map>

#include "ops/op.h"

namespace cresset::quantizer {

namespace {

using Kind = Rule::Kind;
using ir::Argument;
using ops::Op;

Rule rule_of(Kind kind) {
  Rule rule;
  rule.kind = kind;
  return rule;
}

Rule product_rule(size_t weight_axis) {
  Rule rule = rule_of(Kind::kProduct);
  rule.weight_axis = weight_axis;
  return rule;
}

Rule fixed_rule(Kind kind, double low, double high) {
  Rule rule = rule_of(kind);
  rule.fixed = true;
  rule.low = low;
  rule.high = high;
  return rule;
}

const std::map<Op, Rule>& rules() {
  static const std::map<Op, Rule> table = {
#define PRODUCT(id, weight_axis) {Op::id, product_rule(weight_axis)},
#define MATMUL(id) {Op::id, rule_of(Kind::kMatmul)},
#define BINARY(id) {Op::id, rule_of(Kind::kBinary)},
#define CLAMP(id) {Op::id, rule_of(Kind::kClamp)},
#define TABLE(id) {Op::id, rule_of(Kind::kTable)},
#define FIXED_TABLE(id, low, high) {Op::id, fixed_rule(Kind::kTable, low, high)},
#define POOL(id) {Op::id, rule_of(Kind::kPool)},
#define PASS(id) {Op::id, rule_of(Kind::kPass)},
#define CONCAT(id) {Op::id, rule_of(Kind::kConcat)},
#define SOFTMAX(id) {Op::id, fixed_rule(Kind::kSoftmax, 0, 1)},
#include "compiler/quantizer/rules.def"
#undef PRODUCT
#undef MATMUL
#undef BINARY
#undef CLAMP
#undef TABLE
#undef FIXED_TABLE
#undef POOL
#undef PASS
#undef CONCAT
#undef SOFTMAX
  };
  return table;
}

bool is_float_tensor(const Argument& argument) {
  return argument.is_value() && argument.value()->is_tensor() &&
         argument.value()->dtype() == DType::kFloat32;
}

std::string refused_dtype(const ir::Node& node) {
  const ir::Value* const result = node.result();
  if (!result->is_tensor() || result->dtype() != DType::kFloat32) {
    return "only float32 is quantized";
  }
  const int dtype = node.schema().find("dtype");
  if (dtype >= 0 && !node.arg(static_cast<size_t>(dtype)).is_none() &&
      !(node.arg(static_cast<size_t>(dtype)) == Argument(DType::kFloat32))) {
    return "it computes in another dtype";
  }
  return "";
}

bool is_finite(const ir::Constant& weights) {
  for (size_t i = 0; i + sizeof(float) <= weights.size_bytes; i += sizeof(float)) {
    float w;
    std::memcpy(&w, weights.bytes + i, sizeof(w));
    if (!std::isfinite(w)) {
      return false;
    }
  }
  return true;
}

std::string refused_product(const ir::Node& node, const Rule& rule) {
  const Argument& weight = node.arg(1);
  if (!is_float_tensor(node.arg(0)) || !is_float_tensor(weight)) {
    return "only float32 is quantized";
  }
  if (weight.value()->origin() != ir::Value::Origin::kConstant) {
    return "its weights are computed by the model, not constant";
  }
  if (!is_finite(*weight.value()->constant())) {
    return "its weights are not all finite";
  }
  if (!weight.value()->constant()->type.is_static() || weight.value()->rank() <= rule.weight_axis) {
    return "its weights have no channels";
  }
  if (node.arg(2).is_value() && node.arg(2).value()->origin() != ir::Value::Origin::kConstant) {
    return "its bias is computed by the model, not constant";
  }
  return "";
}

// An argument that must keep its default of 1.
std::string refused_alpha(const ir::Node& node) {
  const int alpha = node.schema().find("alpha");
  const bool plain = alpha < 0 || (node.arg(static_cast<size_t>(alpha)).is_number() &&
                                   node.arg(static_cast<size_t>(alpha)).number() == 1);
  return plain ? "" : "alpha is not 1";
}

std::string refused_binary(const ir::Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    if (!is_float_tensor(node.arg(i)) && !(i == 1 && node.arg(i).is_number())) {
      return "it mixes float32 with something else";
    }
  }
  return refused_alpha(node);
}

std::string refused_concat(const ir::Node& node) {
  for (const Argument& item : node.arg(0).list()) {
    if (!is_float_tensor(item)) {
      return "it mixes float32 with something else";
    }
  }
  return "";
}

std::string refused_clamp(const ir::Node& node) {
  for (size_t i = 1; i < node.args().size(); ++i) {
    if (!node.arg(i).is_none() && !node.arg(i).is_number()) {
      return "its bounds are computed by the model";
    }
  }
  return "";
}

std::string refused_pass(const ir::Node& node) {
  for (size_t i = 1; i < node.results().size(); ++i) {
    if (node.result(i)->dtype() != DType::kFloat32 && node.graph()->is_used(node.result(i))) {
      return "its other results are used";
    }
  }
  const int value = node.schema().find("value");
  if (value >= 0) {
    const Argument& padding = node.arg(static_cast<size_t>(value));
    if (!padding.is_none() && !(padding.is_number() && padding.number() == 0)) {
      return "it pads with something else than 0";
    }
  }
  return "";
}

}  // namespace

const Rule* find_rule(ops::Op op) {
  const auto found = rules().find(op);
  return found == rules().end() ? nullptr : &found->second;
}

std::string refusal(const ir::Node& node, const Rule& rule) {
  if (std::string text = refused_dtype(node); !text.empty()) {
    return text;
  }
  switch (rule.kind) {
    case Kind::kProduct:
      return refused_product(node, rule);
    case Kind::kMatmul:
    case Kind::kBinary:
      return refused_binary(node);
    case Kind::kConcat:
      return refused_concat(node);
    case Kind::kClamp:
      return refused_clamp(node);
    case Kind::kPass:
      return refused_pass(node);
    case Kind::kTable:
    case Kind::kPool:
    case Kind::kSoftmax:
      break;
  }
  return is_float_tensor(node.arg(0)) ? "" : "only float32 is quantized";
}

bool is_function_of_one(const ir::Node& node, const Rule& rule) {
  return rule.kind == Kind::kTable || rule.kind == Kind::kClamp ||
         (rule.kind == Kind::kBinary && node.arg(1).is_number());
}

}  // namespace cresset::quantizer
