// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/look_up.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/passes/fold_constants.h"
#include "compiler/passes/integer_rules.h"

namespace cresset::passes {

namespace {

// Nodes between a tensor of integers and a value that depends on it element by element.
class Cone {
 public:
  // False where the value depends on anything else.
  bool collect(const Value* value) {
    if (!seen_.insert(value).second) {
      return true;
    }
    if (value->origin() == Value::Origin::kConstant) {
      return is_one(*value);
    }
    if (const std::optional<QuantizedValue> x = before_dequantize(value)) {
      const bool first = source_.value == nullptr;
      source_ = first ? *x : source_;
      return dtype_bytes(x->is.dtype) == 1 && x->value == source_.value &&
             same_numbers(x->is, source_.is);
    }
    const Node* node = value->producer();
    if (node == nullptr || !is_function(*node)) {
      return false;
    }
    bool all = true;
    node->for_each_value([&](const Value* operand) { all = all && collect(operand); });
    nodes_.push_back(node);
    return all && source_.value != nullptr && value->sizes() == source_.value->sizes();
  }

  const QuantizedValue& source() const { return source_; }

  // The results for each of the 256 integers, quantized like `quantize` does.
  ir::ConstantPtr table(const PassContext& context, const Node& quantize) const {
    ir::Graph graph;
    Builder b(graph, nullptr, nullptr);
    const TensorType type{source_.is.dtype, {Dim(256)}, {}};
    Doubles integers(256);
    for (size_t i = 0; i < 256; ++i) {
      integers[i] = static_cast<double>(i) - (source_.is.dtype == DType::kInt8 ? 128 : 0);
    }
    Value* x = b.constant(write_numbers("integers", type, integers));
    const Quantization& is = source_.is;
    Value* numbers =
        b.call(Op::qd_dequantize_per_tensor, {x, is.scale, is.zero, is.min, is.max, is.dtype});
    std::map<const Value*, Value*> copies;
    const auto copy = [&](const Value* value) {
      if (value->origin() == Value::Origin::kConstant) {
        ir::Constant one = *value->constant();
        one.type.sizes.clear();
        one.type.dim_order.clear();
        return b.constant(std::make_shared<ir::Constant>(one));
      }
      const auto found = copies.find(value);
      return found == copies.end() ? numbers : found->second;
    };
    for (const Node* node : nodes_) {
      std::vector<Argument> args;
      for (const Argument& argument : node->args()) {
        args.push_back(argument.is_value() ? Argument(copy(argument.value())) : argument);
      }
      copies[node->result()] =
          b.typed(node->op(), std::move(args), {node->result()->dtype(), {Dim(256)}, {}});
    }
    std::vector<Argument> args = quantize.args();
    args[0] = copy(args[0].value());
    graph.outputs.push_back(b.call(Op::qd_quantize_per_tensor, std::move(args)));
    if (b.error() || fold_constants(graph, context)) {
      return nullptr;
    }
    const Value* result = graph.outputs[0].value();
    return result->origin() == Value::Origin::kConstant ? result->constant() : nullptr;
  }

 private:
  static bool is_one(const Value& value) {
    return std::all_of(value.sizes().begin(), value.sizes().end(),
                       [](const Dim& size) { return size == Dim(1); });
  }

  static bool is_function(const Node& node) {
    const bool elementwise = node.info().composite ? is_elementwise_composite(node.op())
                                                   : (node.info().traits & ops::kElementwise) != 0;
    bool plain = node.results().size() == 1 && node.result()->is_tensor();
    for (const Argument& argument : node.args()) {
      plain = plain && !argument.is_list() && !argument.is_graph() &&
              (!argument.is_value() || argument.value()->is_tensor());
    }
    return elementwise && plain && node.op() != Op::qd_dequantize_per_tensor &&
           (node.info().traits & (ops::kRandom | ops::kWrites | ops::kDataDependent)) == 0;
  }

  QuantizedValue source_;
  std::vector<const Node*> nodes_;  // in the order of execution
  std::set<const Value*> seen_;
};

// Whether the table only clamps.
bool only_clamps(const Doubles& table, const Quantization& x, const Quantization& y) {
  const double least = x.dtype == DType::kInt8 ? -128 : 0;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] != std::clamp(least + static_cast<double>(i), table.front(), table.back())) {
      return false;
    }
  }
  return x.dtype == y.dtype;
}

}  // namespace

ir::Expected<Value*> look_up(ir::Graph& graph, const PassContext& context, Node* quantize) {
  const std::optional<Quantization> y = read_quantization(*quantize);
  Cone cone;
  if (!y || !context.evaluate || !cone.collect(quantize->arg(0).value()) ||
      cone.source().value == nullptr) {
    return nullptr;
  }
  const ir::ConstantPtr table = cone.table(context, *quantize);
  if (table == nullptr) {
    return nullptr;
  }
  Builder b(graph, quantize, quantize->arg(0).value()->producer());
  Value* x = cone.source().value;
  const Doubles numbers = *read_numbers(*table);
  Value* result = nullptr;
  if (only_clamps(numbers, cone.source().is, *y)) {
    const int64_t low = static_cast<int64_t>(numbers.front());
    const int64_t high = static_cast<int64_t>(numbers.back());
    result = high - low == 255 ? x : b.clamp(x, low, high);
  } else {
    result = b.call(
        Op::qlookup,
        {x, b.constant(ir::make_constant("table", table->type, table->bytes, table->size_bytes))});
  }
  return b.error() ? ir::Expected<Value*>(b.error()) : result;
}

}  // namespace cresset::passes
