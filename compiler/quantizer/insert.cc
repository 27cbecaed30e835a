// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/insert.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantizer/weights.h"
#include "ops/op.h"

namespace cresset::quantizer {

namespace {

using Kind = Rule::Kind;
using ir::Argument;
using ir::Node;
using ir::Value;
using ops::Op;

using MeansByName = std::map<std::string, std::vector<double>>;

constexpr int64_t kWeightLimit = 127;
// In units of input scale x weight scale: leaves room for the sum beside it.
constexpr double kLargestBias = 0x1p29;

// A list with one value in the place of another.
Argument with(const Argument& argument, const Value* from, Value* to) {
  if (argument.is_value()) {
    return argument.value() == from ? Argument(to) : argument;
  }
  if (!argument.is_list()) {
    return argument;
  }
  ir::ArgumentList items;
  for (const Argument& item : argument.list()) {
    items.push_back(with(item, from, to));
  }
  return items;
}

void replace(Node* node, const Value* from, Value* to) {
  for (size_t i = 0; i < node->args().size(); ++i) {
    node->set_arg(i, with(node->arg(i), from, to));
  }
}

class Inserter {
 public:
  Inserter(ir::Graph& graph, const Plan& plan, const QParamsByName& qparams, const Options& options,
           const MeansByName& input_means)
      : graph_(graph),
        plan_(plan),
        qparams_(qparams),
        options_(options),
        input_means_(input_means) {}

  ir::Expected<Inserted> run() {
    std::vector<Node*> nodes;
    for (const auto& node : graph_.nodes()) {
      nodes.push_back(node.get());
    }
    for (const UserInput& input : inputs()) {
      quantize_for_units(input.value, nodes.empty() ? nullptr : nodes[0], nullptr);
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node* const behind = i + 1 < nodes.size() ? nodes[i + 1] : nullptr;
      const auto found = plan_.unit_of.find(nodes[i]);
      const Unit* const unit = found == plan_.unit_of.end() ? nullptr : &plan_.units[found->second];
      const bool first = unit != nullptr && unit->node == nodes[i];
      if (first) {
        take_integers(*unit);
      } else if (unit == nullptr) {
        take_floats(nodes[i]);
      }
      if (error_) {
        return error_;
      }
      const bool gives_integers =
          unit != nullptr && nodes[i] == (unit->clamp != nullptr ? unit->clamp : unit->node);
      for (Value* result : nodes[i]->results()) {
        if (gives_integers && result->is_tensor() && result->dtype() == DType::kFloat32) {
          quantize(result, behind, nodes[i]);
        } else if (!gives_integers) {
          quantize_for_units(result, behind, nodes[i]);
        }
      }
    }
    finish_outputs();
    return error_ ? ir::Expected<Inserted>(error_) : ir::Expected<Inserted>(std::move(inserted_));
  }

 private:
  using UserInput = ir::UserInput;

  std::vector<UserInput> inputs() const {
    std::vector<UserInput> tensors;
    for (const UserInput& input : graph_.inputs) {
      if (input.value != nullptr) {
        tensors.push_back(input);
      }
    }
    for (const ir::Buffer& buffer : graph_.buffers) {
      tensors.push_back({buffer.name, buffer.value, {}, nullptr});
    }
    return tensors;
  }

  QParams parameters(Value* value) {
    Value* const owner = plan_.owner(value);
    if (owner->origin() == Value::Origin::kConstant) {
      return qparams_of_constant(owner->constant());
    }
    const auto found = qparams_.find(owner->name);
    if (found == qparams_.end()) {
      error_ = ir::error(Status::kInternal, "'" + owner->name + "' has no parameters");
      return {};
    }
    return found->second;
  }

  static std::vector<Argument> arguments(Value* x, const QParams& q) {
    return {x, q.scale, q.zero, q.min, q.max, DType::kInt8};
  }

  Node* add(Op op, std::vector<Argument> args, const Value* like, DType dtype, Node* before,
            const Node* origin) {
    ir::TensorType type{dtype, like->sizes(), {}};
    Node* const node =
        graph_.add_node(op, std::move(args), {ir::Type::of(std::move(type))}, before);
    if (origin != nullptr) {
      node->source = origin->source;
      node->debug_handle = origin->debug_handle;
    }
    return node;
  }

  // A float value as integers; what uses it afterwards is decided later.
  void quantize(Value* value, Node* before, const Node* origin) {
    const QParams q = parameters(value);
    Node* const node =
        add(Op::qd_quantize_per_tensor, arguments(value, q), value, DType::kInt8, before, origin);
    integers_[value] = node->result();
    inserted_.integers[value->name] = node->result();
    given_.insert(value);
  }

  // A value that stays float, and that some unit takes as integers.
  void quantize_for_units(Value* value, Node* before, const Node* origin) {
    bool taken = false;
    for (Node* user : value->users()) {
      const auto found = plan_.unit_of.find(user);
      if (found != plan_.unit_of.end() && user == plan_.units[found->second].node) {
        const std::vector<Value*> inputs = plan_.units[found->second].inputs();
        taken = taken || std::find(inputs.begin(), inputs.end(), value) != inputs.end();
      }
    }
    if (taken) {
      quantize(value, before, origin);
      given_.erase(value);
    }
  }

  Value* dequantize(Value* integers, const QParams& q, Node* before, const Node* origin) {
    return add(Op::qd_dequantize_per_tensor, arguments(integers, q), integers, DType::kFloat32,
               before, origin)
        ->result();
  }

  void take_integers(const Unit& unit) {
    // First, for it looks at the float input.
    if (unit.rule->kind == Kind::kProduct) {
      take_weight(unit);
    }
    std::vector<Value*> inputs = unit.inputs();
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (Value* input : inputs) {
      replace(unit.node, input, integer_operand(input, unit));
    }
  }

  Value* integer_operand(Value* input, const Unit& unit) {
    if (input->origin() == Value::Origin::kConstant) {
      return constant_operand(input, unit);
    }
    const QParams q = parameters(input);
    Value* x = dequantize(integers_.at(input), q, unit.node, unit.node);
    // A concatenation of integers needs one scale for all: others are changed to it first.
    if (unit.rule->kind == Kind::kConcat) {
      const QParams wanted = parameters(unit.outputs()[0]);
      if (!(wanted == q)) {
        Node* const changed = add(Op::qd_quantize_per_tensor, arguments(x, wanted), x, DType::kInt8,
                                  unit.node, unit.node);
        x = dequantize(changed->result(), wanted, unit.node, unit.node);
      }
    }
    return x;
  }

  Value* constant_operand(Value* input, const Unit& unit) {
    const QParams q = unit.rule->kind == Kind::kConcat ? parameters(unit.outputs()[0])
                                                       : qparams_of_constant(input->constant());
    std::vector<int8_t> integers;
    for (const float x : floats_of(input->constant())) {
      integers.push_back(
          static_cast<int8_t>(std::clamp(std::nearbyint(x / q.scale) + static_cast<double>(q.zero),
                                         static_cast<double>(q.min), static_cast<double>(q.max))));
    }
    Value* const constant = graph_.add_constant(ir::make_constant(
        input->name, {DType::kInt8, input->sizes(), {}}, integers.data(), integers.size()));
    return dequantize(constant, q, unit.node, unit.node);
  }

  // Scales below which biases would not fit into 32 bits.
  std::vector<float> least_scales(const Node& product, std::optional<size_t> axis) {
    if (!product.arg(2).is_value()) {
      return {};
    }
    std::vector<float> least = floats_of(product.arg(2).value()->constant());
    const double unit = parameters(product.arg(0).value()).scale * kLargestBias;
    for (float& bias : least) {
      bias = static_cast<float>(std::fabs(bias) / unit);
    }
    if (!axis) {
      least.assign(1, *std::max_element(least.begin(), least.end()));
    }
    return least;
  }

  void take_weight(const Unit& unit) {
    Value* const weight = unit.weight();
    const bool grouped_transposed =
        unit.rule->weight_axis == 1 && !(unit.node->arg("groups") == Argument(1));
    const std::optional<size_t> axis = options_.per_tensor || grouped_transposed
                                           ? std::nullopt
                                           : std::optional<size_t>(unit.rule->weight_axis);
    const QuantizedWeight w =
        quantize_weight(weight->constant(), axis, options_.weights, least_scales(*unit.node, axis));
    inserted_.weight_sqnr_db[unit.node->result()->name] = w.sqnr_db;
    const auto means = input_means_.find(unit.node->arg(0).value()->name);
    if (means != input_means_.end()) {
      correct_bias(unit.node, mean_shift(*unit.node, w, means->second));
    }
    Value* const integers = graph_.add_constant(w.integers);
    Value* x = nullptr;
    if (axis) {
      const ir::TensorType one_each{
          DType::kFloat32, {ir::Dim(static_cast<int64_t>(w.scales.size()))}, {}};
      ir::TensorType zeros_type = one_each;
      zeros_type.dtype = DType::kInt64;
      const std::vector<int64_t> zeros(w.scales.size());
      Value* const scales = graph_.add_constant(ir::make_constant(
          weight->name + ".scale", one_each, w.scales.data(), w.scales.size() * sizeof(float)));
      Value* const zero_points = graph_.add_constant(ir::make_constant(
          weight->name + ".zero_point", zeros_type, zeros.data(), zeros.size() * sizeof(int64_t)));
      x = add(Op::qd_dequantize_per_channel,
              {integers, scales, zero_points, static_cast<int64_t>(*axis), -kWeightLimit,
               kWeightLimit, DType::kInt8},
              weight, DType::kFloat32, unit.node, unit.node)
              ->result();
    } else {
      x = dequantize(integers, {w.scales[0], 0, -kWeightLimit, kWeightLimit}, unit.node, unit.node);
    }
    unit.node->set_arg(1, x);
  }

  void correct_bias(Node* product, const std::vector<double>& shift) {
    if (shift.empty()) {
      return;
    }
    std::vector<float> bias(shift.size());
    std::string name = product->result()->name + ".bias";
    if (product->arg(2).is_value()) {
      name = product->arg(2).value()->name;
      bias = floats_of(product->arg(2).value()->constant());
    }
    for (size_t i = 0; i < bias.size(); ++i) {
      bias[i] -= static_cast<float>(shift[i]);
    }
    ir::TensorType type{DType::kFloat32, {ir::Dim(static_cast<int64_t>(bias.size()))}, {}};
    product->set_arg(2, graph_.add_constant(ir::make_constant(name, std::move(type), bias.data(),
                                                              bias.size() * sizeof(float))));
  }

  // A node that stays float takes the numbers that the integers stand for.
  void take_floats(Node* node) {
    std::vector<Value*> values;
    node->for_each_value([&](Value* v) { values.push_back(v); });
    for (Value* value : values) {
      if (given_.contains(value)) {
        replace(node, value, dequantize(integers_.at(value), parameters(value), node, node));
      }
    }
  }

  // The same for what the graph gives and keeps.
  void finish_outputs() {
    std::map<const Value*, Value*> floats;
    const auto as_float = [&](Value* value) -> Value* {
      if (value == nullptr || !given_.contains(value)) {
        return value;
      }
      Value*& made = floats[value];
      if (made == nullptr) {
        made = dequantize(integers_.at(value), parameters(value), nullptr, value->producer());
      }
      return made;
    };
    for (Argument& output : graph_.outputs) {
      if (output.is_value()) {
        output = Argument(as_float(output.value()));
      }
    }
    for (ir::Buffer& buffer : graph_.buffers) {
      buffer.update = as_float(buffer.update);
    }
    for (UserInput& input : graph_.inputs) {
      input.update = as_float(input.update);
    }
  }

  ir::Graph& graph_;
  const Plan& plan_;
  const QParamsByName& qparams_;
  const Options& options_;
  const MeansByName& input_means_;
  Inserted inserted_;
  ir::Error error_;
  std::map<const Value*, Value*> integers_;
  std::set<const Value*> given_;  // values of which only the integers exist afterwards
};

}  // namespace

QParams qparams_of_constant(const ir::ConstantPtr& constant) {
  double low = 0;
  double high = 0;
  for (const float x : floats_of(constant)) {
    if (std::isfinite(x)) {
      low = std::min<double>(low, x);
      high = std::max<double>(high, x);
    }
  }
  return affine_qparams(low, high);
}

std::vector<double> mean_shift(const ir::Node& product, const QuantizedWeight& quantized,
                               const std::vector<double>& means) {
  const ir::Value* const weight = product.arg(1).value();
  const int groups_at = product.schema().find("groups");
  const size_t groups =
      groups_at < 0 ? 1
                    : static_cast<size_t>(product.arg(static_cast<size_t>(groups_at)).integer());
  const size_t outputs = static_cast<size_t>(*weight->sizes()[0].known());
  const size_t inputs = static_cast<size_t>(*weight->sizes()[1].known());  // of one group
  if (quantized.axis != std::optional<size_t>(0) && quantized.axis.has_value()) {
    return {};  // a transposed convolution: how many taps an output sees differs from place to
                // place
  }
  if (means.size() != inputs * groups || outputs % groups != 0) {
    return {};
  }
  const std::vector<float> w = floats_of(weight->constant());
  const int8_t* const n = reinterpret_cast<const int8_t*>(quantized.integers->bytes);
  const size_t taps = w.size() / (outputs * inputs);
  std::vector<double> shift(outputs);
  for (size_t o = 0; o < outputs; ++o) {
    const double scale = quantized.scales[quantized.axis ? o : 0];
    const size_t group = o / (outputs / groups);
    for (size_t i = 0; i < inputs; ++i) {
      double error = 0;
      for (size_t k = (o * inputs + i) * taps; k < (o * inputs + i + 1) * taps; ++k) {
        error += n[k] * scale - w[k];
      }
      shift[o] += error * means[group * inputs + i];
    }
  }
  return shift;
}

ir::Expected<Inserted> insert(ir::Graph& graph, const Plan& plan, const QParamsByName& qparams,
                              const Options& options, const MeansByName& input_means) {
  return Inserter(graph, plan, qparams, options, input_means).run();
}

}  // namespace cresset::quantizer
