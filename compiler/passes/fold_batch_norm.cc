// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"
#include "core/half.h"

namespace cresset::passes {

namespace {

using Doubles = std::vector<double>;

template <class T>
Doubles elements(const ir::Constant& constant) {
  const T* data = reinterpret_cast<const T*>(constant.bytes);
  Doubles result;
  for (size_t i = 0; i < constant.size_bytes / sizeof(T); ++i) {
    result.push_back(static_cast<double>(static_cast<float>(data[i])));
  }
  return result;
}

// The numbers of a floating constant in logical order is not needed here: 1-d, or scaled by rows.
bool numbers(const Value* value, Doubles* result) {
  if (value->origin() != Value::Origin::kConstant) {
    return false;
  }
  const ir::Constant& constant = *value->constant();
  switch (constant.type.dtype) {
    case DType::kFloat32:
      *result = elements<float>(constant);
      return true;
    case DType::kFloat16:
      *result = elements<Half>(constant);
      return true;
    case DType::kBFloat16:
      *result = elements<BFloat16>(constant);
      return true;
    case DType::kFloat64: {
      const double* data = reinterpret_cast<const double*>(constant.bytes);
      result->assign(data, data + constant.size_bytes / sizeof(double));
      return true;
    }
    default:
      return false;
  }
}

template <class T>
ir::ConstantPtr packed(const std::string& name, const TensorType& type, const Doubles& values) {
  std::vector<T> data;
  data.reserve(values.size());
  for (const double value : values) {
    data.push_back(T(static_cast<float>(value)));
  }
  return ir::make_constant(name, type, data.data(), data.size() * sizeof(T));
}

ir::ConstantPtr constant_of(const std::string& name, const TensorType& type,
                            const Doubles& values) {
  switch (type.dtype) {
    case DType::kFloat16:
      return packed<Half>(name, type, values);
    case DType::kBFloat16:
      return packed<BFloat16>(name, type, values);
    case DType::kFloat64:
      return ir::make_constant(name, type, values.data(), values.size() * sizeof(double));
    default:
      return packed<float>(name, type, values);
  }
}

// weight[output][...] of a convolution, or weight[input][output in its group][...] of a transposed
// one; `numbers` in the order of memory, row-major or channels-last.
struct Weights {
  Value* value = nullptr;
  Doubles numbers;
  bool transposed = false;
  int64_t groups = 1;
};

bool is_row_major(const TensorType& type) {
  return std::is_sorted(type.dim_order.begin(), type.dim_order.end());
}

bool is_channels_last(const TensorType& type) {
  const std::vector<uint8_t>& order = type.dim_order;
  return order.size() > 2 && order.front() == 0 && order.back() == 1 &&
         std::is_sorted(order.begin(), order.end() - 1);
}

void scale_channels(Weights* weights, const Doubles& factors) {
  const ir::Dim first = weights->value->sizes()[0];
  const size_t rows = static_cast<size_t>(*first.known());
  const size_t columns = static_cast<size_t>(*weights->value->sizes()[1].known());
  const size_t inner = weights->numbers.size() / std::max<size_t>(rows * columns, 1);
  const size_t rows_per_group = rows / static_cast<size_t>(weights->groups);
  const bool channels_last = !is_row_major(weights->value->constant()->type);
  const size_t column_step = channels_last ? 1 : inner;
  const size_t inner_step = channels_last ? columns : 1;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) {
      const size_t channel = weights->transposed ? r / rows_per_group * columns + c : r;
      double* column = &weights->numbers[r * columns * inner + c * column_step];
      for (size_t i = 0; i < inner; ++i) {
        column[i * inner_step] *= factors[channel];
      }
    }
  }
}

bool fold(ir::Graph& graph, Node* norm) {
  if (norm->op() != Op::_native_batch_norm_legit_no_training || !is_tensor(norm->arg(0))) {
    return false;
  }
  for (size_t i = 1; i < norm->results().size(); ++i) {
    if (graph.is_used(norm->result(i))) {
      return false;
    }
  }
  Value* x = norm->arg(0).value();
  Node* producer = x->producer();
  if (producer == nullptr || producer->op() != Op::convolution || x->users().size() != 1 ||
      graph.output_uses(x) != 0 || !producer->arg(1).is_value() || !producer->arg(8).is_int()) {
    return false;
  }
  Weights weights;
  weights.value = producer->arg(1).value();
  weights.transposed = producer->arg(6).boolean();
  weights.groups = producer->arg(8).integer();
  Doubles mean, variance;
  if (!numbers(weights.value, &weights.numbers) ||
      !(is_row_major(weights.value->constant()->type) ||
        is_channels_last(weights.value->constant()->type)) ||
      !numbers(norm->arg(3).value(), &mean) || !numbers(norm->arg(4).value(), &variance)) {
    return false;
  }
  const size_t channels = mean.size();
  Doubles gamma(channels, 1), beta(channels, 0), bias(channels, 0);
  if ((norm->arg(1).is_value() && !numbers(norm->arg(1).value(), &gamma)) ||
      (norm->arg(2).is_value() && !numbers(norm->arg(2).value(), &beta)) ||
      (producer->arg(2).is_value() && !numbers(producer->arg(2).value(), &bias))) {
    return false;
  }
  const double eps = norm->arg("eps").number();
  Doubles factors(channels);
  for (size_t c = 0; c < channels; ++c) {
    factors[c] = gamma[c] / std::sqrt(variance[c] + eps);
    bias[c] = (bias[c] - mean[c]) * factors[c] + beta[c];
  }
  scale_channels(&weights, factors);
  const ir::Constant& old = *weights.value->constant();
  const TensorType bias_type{old.type.dtype, {Dim(static_cast<int64_t>(channels))}, {}};
  producer->set_arg(1, graph.add_constant(constant_of(old.name, old.type, weights.numbers)));
  producer->set_arg(2, graph.add_constant(constant_of(old.name + ".bias", bias_type, bias)));
  graph.replace_uses(norm->result(0), x);
  graph.erase(norm);
  return true;
}

}  // namespace

ir::Error fold_batch_norm(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return fold_batch_norm(body, context); })) {
      return failure;
    }
    fold(graph, node);
  }
  graph.drop_unused_constants();
  return {};
}

}  // namespace cresset::passes
