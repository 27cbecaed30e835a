// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>

#include "compiler/passes/decompositions.h"

// Recurrent layers: the products with the inputs are taken for all steps at once; what depends on
// the state becomes a scan, never an unrolled graph.
namespace cresset::passes::decompositions {

namespace {

// One step: from the state, the step's projected input and the recurrent parameters to the new
// state. The first tensor of the state is what the layer puts out.
using Cell =
    std::function<Values(Builder& b, const Values& state, Value* input, const Values& parameters)>;

// The parameters of one direction of one layer.
struct Weights {
  Value* input = nullptr;  // W_ih
  Value* state = nullptr;  // W_hh
  Value* input_bias = nullptr;
  Value* state_bias = nullptr;
  Value* projection = nullptr;  // W_hr
};

Values gates_of(Builder& b, Value* x, int64_t count) {
  const Dim width = ir::floor_div(b.size(x, -1), count);
  Values gates;
  for (int64_t i = 0; i < count; ++i) {
    gates.push_back(b.narrow(x, -1, width * Dim(i), width));
  }
  return gates;
}

// Parameters: W_hh transposed [, W_hr transposed]. The input holds both biases.
Values lstm_step(Builder& b, const Values& state, Value* input, const Values& parameters) {
  const Values gate = gates_of(b, b.add(input, b.mm(state[0], parameters[0])), 4);
  Value* c = b.add(b.mul(b.unary(Op::sigmoid, gate[1]), state[1]),
                   b.mul(b.unary(Op::sigmoid, gate[0]), b.unary(Op::tanh, gate[2])));
  Value* h = b.mul(b.unary(Op::sigmoid, gate[3]), b.unary(Op::tanh, c));
  if (parameters.size() > 1) {
    h = b.mm(h, parameters[1]);
  }
  return {h, c};
}

// Parameters: W_hh transposed [, b_hh].
Values gru_step(Builder& b, const Values& state, Value* input, const Values& parameters) {
  Value* h = state[0];
  Value* product = parameters.size() > 1 ? b.call(Op::addmm, {parameters[1], h, parameters[0]})
                                         : b.mm(h, parameters[0]);
  const Values x = gates_of(b, input, 3);
  const Values y = gates_of(b, product, 3);
  Value* r = b.unary(Op::sigmoid, b.add(x[0], y[0]));
  Value* z = b.unary(Op::sigmoid, b.add(x[1], y[1]));
  Value* n = b.unary(Op::tanh, b.add(x[2], b.mul(r, y[2])));
  return {b.add(n, b.mul(z, b.sub(h, n)))};
}

Cell rnn_step(Op activation) {
  return [activation](Builder& b, const Values& state, Value* input, const Values& parameters) {
    return Values{b.unary(activation, b.add(input, b.mm(state[0], parameters[0])))};
  };
}

// Runs the cell over dimension 0 of `inputs`. Gives the outputs of all steps and the last state.
Values run_cell(Builder& b, const Cell& cell, Value* inputs, const Values& state,
                const Values& parameters) {
  const Dim steps = b.size(inputs, 0);
  if (steps == Dim(1)) {
    Values last = cell(b, state, b.squeeze(inputs, 0), parameters);
    last.insert(last.begin(), b.unsqueeze(last[0], 0));
    return last;
  }
  auto body = std::make_shared<ir::Graph>();
  body->name = "step";
  Values body_state, body_parameters;
  for (Value* value : state) {
    body_state.push_back(body->add_input("state", value->type));
  }
  TensorType slice = inputs->tensor();
  slice.sizes.erase(slice.sizes.begin());
  slice.dim_order.clear();
  Value* input = body->add_input("input", Type::of(slice));
  for (Value* value : parameters) {
    body_parameters.push_back(body->add_input("parameter", value->type));
  }
  Builder inner(*body, nullptr, &b.node());
  const Values next = cell(inner, body_state, input, body_parameters);
  if (inner.error()) {
    b.fail(inner.error().text);
    return Values(state.size() + 1, inputs);
  }
  std::vector<Type> types;
  for (Value* value : next) {
    body->outputs.push_back(value);
    types.push_back(value->type);
  }
  body->outputs.push_back(next[0]);
  TensorType stacked = next[0]->tensor();
  stacked.sizes.insert(stacked.sizes.begin(), steps);
  types.push_back(Type::of(stacked));
  Values results = b.typed_calls(
      Op::hop_scan,
      {body, Argument::values(state), Argument::values({inputs}), Argument::values(parameters)},
      types);
  Values ordered = {results.back()};
  ordered.insert(ordered.end(), results.begin(), results.end() - 1);
  return ordered;
}

enum class Kind { kLstm, kGru, kRnn };

// The products with the inputs of all steps, and what the cell needs.
Value* project(Builder& b, Kind kind, Value* x, const Weights& weights, Values* parameters) {
  Value* bias = weights.input_bias;
  *parameters = {b.permute(weights.state, {1, 0})};
  if (kind == Kind::kGru) {
    if (weights.state_bias != nullptr) {
      parameters->push_back(weights.state_bias);
    }
  } else if (weights.state_bias != nullptr) {
    bias = bias == nullptr ? weights.state_bias : b.add(bias, weights.state_bias);
  }
  if (weights.projection != nullptr) {
    parameters->push_back(b.permute(weights.projection, {1, 0}));
  }
  return passes::linear(b, x, weights.input, bias);
}

// All layers and directions. `state` holds h0 (and c0), each [layers * directions, batch, size].
Values run_layers(Builder& b, Kind kind, const Cell& cell, const Values& state, size_t params_at) {
  Value* x = b.in(0);
  const bool biases = b.flag(params_at + 1);
  const int64_t layers = b.integer(params_at + 2);
  const bool training = b.flag(params_at + 4);
  const int64_t directions = b.flag(params_at + 5) ? 2 : 1;
  const bool batch_first = b.flag(params_at + 6);
  if (training && b.number(params_at + 3) != 0 && layers > 1) {
    return b.unsupported("dropout in training mode is random; export the model in eval mode");
  }
  const Values flat = b.tensors(params_at);
  const size_t blocks = static_cast<size_t>(std::max<int64_t>(layers * directions, 1));
  const size_t each = flat.size() / blocks;
  const size_t plain = biases ? 4 : 2;
  if (each != plain && each != plain + 1) {
    return b.unsupported("unexpected number of parameters");
  }
  if (batch_first) {
    x = b.transpose(x, 0, 1);
  }
  std::vector<Values> last(state.size());
  for (int64_t layer = 0; layer < layers; ++layer) {
    Values outputs;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const int64_t index = layer * directions + direction;
      Value* const* p = flat.data() + static_cast<size_t>(index) * each;
      Weights weights;
      weights.input = p[0];
      weights.state = p[1];
      weights.input_bias = biases ? p[2] : nullptr;
      weights.state_bias = biases ? p[3] : nullptr;
      weights.projection = each > plain ? p[plain] : nullptr;
      Values parameters;
      Value* inputs = project(b, kind, x, weights, &parameters);
      if (direction == 1) {
        inputs = b.flip(inputs, {0});
      }
      Values begin;
      for (Value* tensor : state) {
        begin.push_back(b.select(tensor, 0, index));
      }
      const Values end = run_cell(b, cell, inputs, begin, parameters);
      outputs.push_back(direction == 1 ? b.flip(end[0], {0}) : end[0]);
      for (size_t i = 0; i < state.size(); ++i) {
        last[i].push_back(end[i + 1]);
      }
    }
    x = b.cat(outputs, -1 + static_cast<int64_t>(outputs[0]->rank()));
  }
  Values results = {batch_first ? b.transpose(x, 0, 1) : x};
  for (const Values& parts : last) {
    results.push_back(b.stack(parts, 0));
  }
  return results;
}

Values one_cell(Builder& b, Kind kind, const Cell& cell, const Values& state, size_t weights_at) {
  Weights weights;
  weights.input = b.in(weights_at);
  weights.state = b.in(weights_at + 1);
  weights.input_bias = b.in(weights_at + 2);
  weights.state_bias = b.in(weights_at + 3);
  Values parameters;
  const bool unbatched = b.in(0)->rank() == 1;
  Value* x = unbatched ? b.unsqueeze(b.in(0), 0) : b.in(0);
  Values begin;
  for (Value* value : state) {
    begin.push_back(unbatched ? b.unsqueeze(value, 0) : value);
  }
  Value* input = project(b, kind, x, weights, &parameters);
  Values end = cell(b, begin, input, parameters);
  for (Value*& value : end) {
    value = unbatched ? b.squeeze(value, 0) : value;
  }
  return end;
}

}  // namespace

Values lstm_input(Builder& b) { return run_layers(b, Kind::kLstm, lstm_step, b.tensors(1), 2); }
Values gru_input(Builder& b) { return run_layers(b, Kind::kGru, gru_step, {b.in(1)}, 2); }
Values rnn_tanh_input(Builder& b) {
  return run_layers(b, Kind::kRnn, rnn_step(Op::tanh), {b.in(1)}, 2);
}
Values rnn_relu_input(Builder& b) {
  return run_layers(b, Kind::kRnn, rnn_step(Op::relu), {b.in(1)}, 2);
}
Values lstm_cell(Builder& b) { return one_cell(b, Kind::kLstm, lstm_step, b.tensors(1), 2); }
Values gru_cell(Builder& b) { return one_cell(b, Kind::kGru, gru_step, {b.in(1)}, 2); }
Values rnn_tanh_cell(Builder& b) {
  return one_cell(b, Kind::kRnn, rnn_step(Op::tanh), {b.in(1)}, 2);
}
Values rnn_relu_cell(Builder& b) {
  return one_cell(b, Kind::kRnn, rnn_step(Op::relu), {b.in(1)}, 2);
}

}  // namespace cresset::passes::decompositions
