// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/builder.h"
#include "compiler/passes/constant_numbers.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/weight_channels.h"

namespace cresset::passes {

namespace {

using ops::Requantization;

double number(const Node& node, std::string_view name) { return node.arg(name).number(); }

// How many numbers one mean is over; 1 where that is not known.
int64_t summands(const Node& node) {
  std::optional<Ints> sizes;
  if (node.op() == Op::qavg_pool2d) {
    if (node.arg("divisor_override").is_int()) {
      return node.arg("divisor_override").integer();
    }
    sizes = node.arg("kernel_size").int_list();
    if (sizes && sizes->size() == 1) {
      sizes->push_back(sizes->front());
    }
  } else {
    const Value* x = node.arg(0).value();
    const int64_t rank = static_cast<int64_t>(x->rank());
    const std::optional<Ints> dims = node.arg("dim").int_list();
    sizes = Ints();
    for (const int64_t dim : dims && !dims->empty() ? *dims : counted(x->rank())) {
      sizes->push_back(
          x->sizes()[static_cast<size_t>(dim < 0 ? dim + rank : dim)].known().value_or(1));
    }
  }
  constexpr int64_t kMost = int64_t{1} << 22;
  int64_t count = 1;
  for (const int64_t size : sizes.value_or(Ints{})) {
    count = std::clamp<int64_t>(count * size, 1, kMost);
  }
  return count;
}

// The argument `fixed` of rows that have it, in terms of their scales; empty for other rows.
Ints fixed_of(const Node& node) {
  const auto plain = [](double scale) {
    const ops::FixedMultiplier fixed = ops::fixed_multiplier(scale);
    return Ints{fixed.multiplier, fixed.shift};
  };
  switch (node.op()) {
    case Op::qadd: {
      const auto fixed = ops::add_multipliers(number(node, "a_scale"), number(node, "b_scale"),
                                              number(node, "y_scale"));
      return {fixed.begin(), fixed.end()};
    }
    case Op::qmul:
    case Op::qmatmul:
      return plain(number(node, "a_scale") * number(node, "b_scale") / number(node, "y_scale"));
    case Op::requantize:
      return plain(number(node, "x_scale") / number(node, "y_scale"));
    case Op::qmean:
    case Op::qavg_pool2d: {
      const auto fixed =
          ops::mean_multiplier(number(node, "x_scale"), number(node, "y_scale"), summands(node));
      return {fixed.begin(), fixed.end()};
    }
    default:
      return {};
  }
}

// A row with a scale for each channel of its weights.
class ChannelScales {
 public:
  ChannelScales(ir::Graph& graph, Node* node) : graph_(graph), node_(node) {}

  void fix(Requantization form) {
    if (!is_tensor(node_->arg("scale")) ||
        node_->arg("scale").value()->dtype() != DType::kFloat32) {
      return;
    }
    const std::optional<Doubles> scales = read_numbers(node_->arg("scale").value());
    if (!scales) {
      return;
    }
    for (const double scale : *scales) {
      factors_.push_back(number(*node_, "x_scale") * scale / number(*node_, "y_scale"));
    }
    if (form != Requantization::kNarrow || !narrow()) {
      Doubles multipliers, shifts;
      for (const double factor : factors_) {
        const ops::FixedMultiplier fixed = ops::fixed_multiplier(factor);
        multipliers.push_back(fixed.multiplier);
        shifts.push_back(fixed.shift);
      }
      put(DType::kInt32, multipliers, shifts, {size()});
    }
  }

 private:
  Dim size() const { return Dim(static_cast<int64_t>(factors_.size())); }

  // Only where every channel allows it: one form a row.
  bool narrow() {
    const Value* weight = node_->arg("weight").value();
    const std::optional<Doubles> bias =
        node_->arg("bias").is_value() ? read_numbers(node_->arg("bias").value()) : Doubles();
    if (weight->origin() != Value::Origin::kConstant || !bias) {
      return false;
    }
    const bool has_groups = node_->op() != Op::qlinear;
    const WeightChannels channels = WeightChannels::of(
        weight->tensor(), has_groups ? static_cast<size_t>(node_->arg("groups").integer()) : 1,
        node_->op() == Op::qconv_transpose2d);
    std::vector<ops::SumBounds> bounds =
        sum_bounds(*weight->constant(), channels, node_->arg(0).value()->dtype(),
                   node_->arg("x_zero").integer());
    for (size_t c = 0; c < bias->size(); ++c) {
      bounds[c].add(static_cast<int64_t>((*bias)[c]));
    }
    if (factors_.size() == 1) {
      for (const ops::SumBounds& other : bounds) {
        bounds[0].least = std::min(bounds[0].least, other.least);
        bounds[0].greatest = std::max(bounds[0].greatest, other.greatest);
      }
    }
    const auto integer = [&](std::string_view name) {
      return static_cast<int32_t>(node_->arg(name).integer());
    };
    const ops::QuantRange range{integer("y_zero"), integer("y_min"), integer("y_max")};
    Doubles multipliers, shifts;
    for (size_t c = 0; c < factors_.size(); ++c) {
      const auto chosen = ops::narrow_multiplier(factors_[c], bounds[c], range);
      if (!chosen) {
        return false;
      }
      multipliers.push_back(chosen->multiplier);
      shifts.push_back(chosen->pre_shift);
      shifts.push_back(chosen->shift);
    }
    put(DType::kInt16, multipliers, shifts, {size(), Dim(2)});
    return true;
  }

  void put(DType dtype, const Doubles& multipliers, const Doubles& shifts, Dims shift_sizes) {
    const std::string name = node_->arg("weight").value()->name;
    node_->set_arg("scale", graph_.add_constant(write_numbers(name + ".multiplier",
                                                              {dtype, {size()}, {}}, multipliers)));
    node_->set_arg("shift",
                   graph_.add_constant(write_numbers(
                       name + ".shift", {DType::kInt8, std::move(shift_sizes), {}}, shifts)));
  }

  ir::Graph& graph_;
  Node* node_;
  Doubles factors_;  // what a unit of the sum is worth in steps of the output
};

}  // namespace

ir::Error fix_requantization(ir::Graph& graph, const PassContext& context) {
  if (context.requantization == Requantization::kFloat) {
    return {};
  }
  for (const auto& node : graph.nodes()) {
    if (ir::Error failure = for_each_body(
            *node, [&](ir::Graph& body) { return fix_requantization(body, context); })) {
      return failure;
    }
    if (node->op() == Op::qconv2d || node->op() == Op::qconv_transpose2d ||
        node->op() == Op::qlinear) {
      ChannelScales(graph, node.get()).fix(context.requantization);
    } else if (const Ints fixed = fixed_of(*node);
               !fixed.empty() && node->arg("fixed").list().empty()) {
      node->set_arg("fixed", Argument::ints(fixed));
    }
  }
  graph.drop_unused_constants();
  return {};
}

}  // namespace cresset::passes
