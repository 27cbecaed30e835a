// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/eval/frame.h"

#include <fmt/core.h>

namespace cresset::eval {

const Datum* Evaluator::Frame::find(const ir::Value* value) {
  if (const auto found = values.find(value); found != values.end()) {
    return &found->second;
  }
  if (value->origin() == ir::Value::Origin::kConstant) {
    return &(values[value] = value->constant());
  }
  if (value->type.kind == ir::Type::Kind::kInt) {
    if (const std::optional<int64_t> known = value->type.value.evaluate(symbols)) {
      return &(values[value] = Scalar::of_int(*known));
    }
  }
  return nullptr;
}

ir::Expected<Datum> Evaluator::Frame::datum_of(const ir::Argument& argument) {
  if (argument.is_value()) {
    const Datum* datum = find(argument.value());
    if (datum == nullptr) {
      return ir::error(Status::kInvalidProgram,
                       fmt::format("%{} is used before it is computed", argument.value()->name));
    }
    return *datum;
  }
  if (argument.is_number()) {
    return Datum(argument.scalar());
  }
  if (argument.is_string()) {
    return Datum(argument.string());
  }
  if (argument.is_dtype()) {
    return Datum(Scalar::of_int(static_cast<int64_t>(argument.dtype())));
  }
  if (argument.is_none()) {
    return Datum();
  }
  return ir::error(Status::kInvalidProgram, "a list or graph stands where one value is expected");
}

ir::Expected<std::vector<Datum>> Evaluator::Frame::data_of(const ir::Argument& list) {
  std::vector<Datum> data;
  if (list.is_none()) {
    return data;
  }
  if (!list.is_list()) {
    return ir::error(Status::kInvalidProgram, "a list of operands is expected");
  }
  for (const ir::Argument& item : list.list()) {
    ir::Expected<Datum> datum = datum_of(item);
    if (!datum.ok()) {
      return datum.error();
    }
    data.push_back(*std::move(datum));
  }
  return data;
}

bool Evaluator::Frame::agrees(const ir::Dim& expected, int64_t got) {
  if (const std::optional<ir::Dim::Linear> linear = expected.linear();
      linear && linear->scale != 0 && !symbols.contains(linear->symbol)) {
    if ((got - linear->offset) % linear->scale != 0) {
      return false;
    }
    symbols[linear->symbol] = (got - linear->offset) / linear->scale;
  }
  return expected.evaluate(symbols).value_or(got) == got;
}

ir::Error Evaluator::Frame::check(const ir::Type& type, const Datum& datum) {
  const ir::ConstantPtr& tensor = tensor_of(datum);
  bool fits = (tensor != nullptr) == type.is_tensor();
  if (fits && tensor != nullptr) {
    const std::vector<ir::Dim>& sizes = tensor->type.sizes;
    fits = tensor->type.dtype == type.tensor.dtype && sizes.size() == type.tensor.sizes.size();
    for (size_t d = 0; fits && d < sizes.size(); ++d) {
      fits = agrees(type.tensor.sizes[d], sizes[d].known().value_or(-1));
    }
  } else if (const Scalar* number = std::get_if<Scalar>(&datum);
             number != nullptr && type.kind == ir::Type::Kind::kInt) {
    fits = agrees(type.value, number->to_int());
  }
  if (fits) {
    return {};
  }
  std::string expected = "a number";
  if (type.is_tensor()) {
    expected = dtype_text(type.tensor.dtype) + ir::sizes_text(type.tensor.sizes);
  } else if (type.kind == ir::Type::Kind::kInt) {
    expected = "the int " + type.value.text();
  }
  for (const auto& [symbol, value] : symbols) {
    if (expected.find(symbol) != std::string::npos) {
      expected += fmt::format(", {} = {}", symbol, value);
    }
  }
  return ir::error(Status::kInvalidArgument,
                   fmt::format("got {}, expected {}", describe(datum), expected));
}

ir::Type Evaluator::Frame::concrete(const ir::Type& type) const {
  ir::Type result = type;
  for (ir::Dim& size : result.tensor.sizes) {
    if (const std::optional<int64_t> known = size.evaluate(symbols)) {
      size = *known;
    }
  }
  return result;
}

}  // namespace cresset::eval
