// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include "compiler/eval/eval.h"
#include "compiler/eval/frame.h"
#include "ops/op.h"

namespace cresset::eval {

namespace {

std::vector<Datum> joined(std::vector<Datum> a, const std::vector<Datum>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

ir::Expected<const ir::Graph*> body_of(const ir::Argument& argument) {
  if (!argument.is_graph() || argument.graph() == nullptr) {
    return ir::bad_model("a body is expected");
  }
  return argument.graph().get();
}

// How many slices along dimension 0 the tensors have: all the same number.
ir::Expected<int64_t> slice_count(const std::vector<Datum>& tensors) {
  int64_t count = -1;
  for (const Datum& datum : tensors) {
    const ir::ConstantPtr& tensor = tensor_of(datum);
    if (tensor == nullptr || tensor->type.sizes.empty()) {
      return ir::error(Status::kInvalidArgument,
                       describe(datum) + " has no dimension to slice along");
    }
    const int64_t size = tensor->type.sizes[0].known().value_or(0);
    if (count != -1 && size != count) {
      return ir::error(
          Status::kInvalidArgument,
          fmt::format("slices of {} and of {} elements do not go together", count, size));
    }
    count = size;
  }
  if (count < 0) {
    return ir::bad_model("there is nothing to slice");
  }
  return count;
}

std::vector<Datum> slices(const std::vector<Datum>& tensors, int64_t index) {
  std::vector<Datum> items;
  for (const Datum& datum : tensors) {
    items.emplace_back(item_of(tensor_of(datum), index));
  }
  return items;
}

// Results of all steps -> one stacked tensor a result; where there was no step, the declared type
// with no rows.
ir::Expected<std::vector<Datum>> stacked(const std::vector<std::vector<Datum>>& steps,
                                         const std::vector<ir::Type>& declared) {
  std::vector<Datum> results;
  for (size_t k = 0; k < declared.size(); ++k) {
    ir::TensorType type = declared[k].tensor;
    std::vector<ir::ConstantPtr> rows;
    for (const std::vector<Datum>& step : steps) {
      if (k >= step.size()) {
        return ir::bad_model("the body gives fewer results than its node has");
      }
      ir::ConstantPtr row = tensor_of(step[k]);
      if (row == nullptr) {
        ir::Expected<Datum> fitted = fit(step[k], ir::Type::of(ir::TensorType{type.dtype, {}, {}}));
        row = fitted.ok() ? tensor_of(*fitted) : nullptr;
      }
      if (row == nullptr) {
        return ir::bad_model("the body gives no tensor where its node has one");
      }
      rows.push_back(std::move(row));
    }
    if (rows.empty()) {
      if (type.sizes.empty()) {
        return ir::bad_model("a stacked result has no dimensions");
      }
      type.sizes[0] = 0;
      results.emplace_back(tensor_from(type, std::make_shared<std::vector<uint8_t>>()));
      continue;
    }
    ir::Expected<ir::ConstantPtr> tensor = stack(rows);
    if (!tensor.ok()) {
      return tensor.error();
    }
    results.emplace_back(reordered(*tensor, type.order()));
  }
  return results;
}

}  // namespace

Evaluator::Results Evaluator::run_node(const ir::Node& node, Frame* frame) {
  switch (node.op()) {
    case ops::Op::hop_cond:
      return run_cond(node, frame);
    case ops::Op::hop_while_loop:
      return run_while(node, frame);
    case ops::Op::hop_map_impl:
      return run_map(node, frame);
    case ops::Op::hop_scan:
      return run_scan(node, frame);
    default:
      return run_row(node, frame);
  }
}

Evaluator::Results Evaluator::run_cond(const ir::Node& node, Frame* frame) {
  ir::Expected<Datum> datum = frame->datum_of(node.arg("pred"));
  if (!datum.ok()) {
    return datum.error();
  }
  ir::Expected<Scalar> pred = number_of(*datum);
  if (!pred.ok()) {
    return pred.error();
  }
  ir::Expected<const ir::Graph*> body =
      body_of(node.arg(pred->to_bool() ? "true_graph" : "false_graph"));
  Results operands = frame->data_of(node.arg("operands"));
  if (!body.ok() || !operands.ok()) {
    return body.ok() ? operands.error() : body.error();
  }
  return run_body(**body, *operands);
}

Evaluator::Results Evaluator::run_while(const ir::Node& node, Frame* frame) {
  ir::Expected<const ir::Graph*> condition = body_of(node.arg("condition"));
  ir::Expected<const ir::Graph*> body = body_of(node.arg("body"));
  Results carried = frame->data_of(node.arg("carried"));
  Results additional = frame->data_of(node.arg("additional"));
  if (!condition.ok() || !body.ok()) {
    return condition.ok() ? body.error() : condition.error();
  }
  if (!carried.ok() || !additional.ok()) {
    return carried.ok() ? additional.error() : carried.error();
  }
  const size_t count = carried->size();
  while (true) {
    Results go_on = run_body(**condition, joined(*carried, *additional));
    if (!go_on.ok()) {
      return go_on;
    }
    if (go_on->size() != 1) {
      return ir::bad_model("the condition gives more or less than one result");
    }
    ir::Expected<Scalar> flag = number_of((*go_on)[0]);
    if (!flag.ok()) {
      return flag.error();
    }
    if (!flag->to_bool()) {
      break;
    }
    carried = run_body(**body, joined(*carried, *additional));
    if (!carried.ok()) {
      return carried;
    }
    if (carried->size() != count) {
      return ir::bad_model(
          fmt::format("the body gives {} results for {} carried values", carried->size(), count));
    }
  }
  for (size_t k = 0; k < count && k < node.results().size(); ++k) {
    ir::Expected<Datum> fitted = fit((*carried)[k], node.result(k)->type);
    if (!fitted.ok()) {
      return fitted.error();
    }
    (*carried)[k] = *std::move(fitted);
  }
  return carried;
}

Evaluator::Results Evaluator::run_map(const ir::Node& node, Frame* frame) {
  ir::Expected<const ir::Graph*> body = body_of(node.arg("body"));
  Results mapped = frame->data_of(node.arg("mapped"));
  Results additional = frame->data_of(node.arg("additional"));
  if (!body.ok() || !mapped.ok() || !additional.ok()) {
    return !body.ok() ? body.error() : !mapped.ok() ? mapped.error() : additional.error();
  }
  ir::Expected<int64_t> count = slice_count(*mapped);
  if (!count.ok()) {
    return count.error();
  }
  std::vector<std::vector<Datum>> steps;
  for (int64_t i = 0; i < *count; ++i) {
    Results step = run_body(**body, joined(slices(*mapped, i), *additional));
    if (!step.ok()) {
      return step;
    }
    steps.push_back(*std::move(step));
  }
  std::vector<ir::Type> declared;
  for (const ir::Value* result : node.results()) {
    declared.push_back(frame->concrete(result->type));
  }
  return stacked(steps, declared);
}

Evaluator::Results Evaluator::run_scan(const ir::Node& node, Frame* frame) {
  ir::Expected<const ir::Graph*> body = body_of(node.arg("combine"));
  Results carried = frame->data_of(node.arg("init"));
  Results xs = frame->data_of(node.arg("xs"));
  Results additional = frame->data_of(node.arg("additional"));
  if (!body.ok() || !carried.ok() || !xs.ok() || !additional.ok()) {
    return !body.ok()      ? body.error()
           : !carried.ok() ? carried.error()
           : !xs.ok()      ? xs.error()
                           : additional.error();
  }
  ir::Expected<int64_t> count = slice_count(*xs);
  if (!count.ok()) {
    return count.error();
  }
  const size_t carries = carried->size();
  std::vector<std::vector<Datum>> steps;
  for (int64_t i = 0; i < *count; ++i) {
    Results step = run_body(**body, joined(joined(*carried, slices(*xs, i)), *additional));
    if (!step.ok()) {
      return step;
    }
    if (step->size() < carries) {
      return ir::bad_model("the body gives fewer results than there are carried values");
    }
    carried->assign(step->begin(), step->begin() + static_cast<ptrdiff_t>(carries));
    steps.emplace_back(step->begin() + static_cast<ptrdiff_t>(carries), step->end());
  }
  std::vector<ir::Type> declared;
  for (size_t k = carries; k < node.results().size(); ++k) {
    declared.push_back(frame->concrete(node.result(k)->type));
  }
  Results outputs = stacked(steps, declared);
  if (!outputs.ok()) {
    return outputs;
  }
  return joined(*carried, *outputs);
}

}  // namespace cresset::eval
