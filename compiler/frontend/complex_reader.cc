// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/graph_reader.h"
#include "compiler/ir/infer.h"
#include "ops/op.h"

// Complex numbers as arguments. The IR has none: they are tensors without dimensions, and operators
// that want a number there give way to others.

namespace cresset::frontend {

using ir::Argument;
using ir::Type;

namespace {

// The overload that takes a tensor where `info` takes a number, all else alike; or null.
const ops::OpInfo* tensor_overload(const ops::OpInfo& info, size_t at) {
  for (const ops::OpInfo& other : ops::all_ops()) {
    if (other.name != info.name || other.schema.arg_count != info.schema.arg_count) {
      continue;
    }
    bool fits = true;
    for (size_t i = 0; i < info.schema.arg_count; ++i) {
      const ops::SchemaArg& wanted = other.schema.args[i];
      const ops::SchemaArg& known = info.schema.args[i];
      const ops::TypeTag type = i == at ? ops::TypeTag::kTensor : known.type;
      fits = fits && wanted.type == type && wanted.list == known.list;
    }
    if (fits) {
      return &other;
    }
  }
  return nullptr;
}

}  // namespace

Argument GraphReader::complex_argument(const Json& number, const std::vector<Json>& outputs) {
  const double parts[] = {number.field("real").as_double(), number.field("imag").as_double()};
  const float narrow[] = {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
  bool wide = false;
  for (const ResultName& result : results_of(outputs)) {
    const DType dtype = result.type.tensor.dtype;
    wide = wide ||
           (result.type.is_tensor() && (dtype == DType::kComplex128 || dtype == DType::kFloat64));
  }
  const DType dtype = wide ? DType::kComplex128 : DType::kComplex64;
  return graph_->add_constant(ir::make_constant("complex", {dtype, {}, {}},
                                                wide ? static_cast<const void*>(parts) : narrow,
                                                wide ? sizeof(parts) : sizeof(narrow)));
}

bool GraphReader::place_complex(const Json& node, Target* target, std::vector<Argument>* args) {
  for (size_t i = 0; i < args->size(); ++i) {
    const ops::SchemaArg& declared = target->info->schema.args[i];
    Argument& number = (*args)[i];
    if (declared.type != ops::TypeTag::kScalar || declared.list || !number.is_value() ||
        !number.value()->is_tensor() || !is_complex(number.value()->dtype())) {
      continue;
    }
    if (const ops::OpInfo* other = tensor_overload(*target->info, i)) {
      target->info = other;
      continue;
    }
    switch (target->info->op) {
      case ops::Op::add_tensor:
      case ops::Op::sub_tensor: {  // alpha
        const std::vector<Argument> factors = {(*args)[1], number};
        const auto types = ir::infer(ops::op_info(ops::Op::mul_tensor), factors);
        if (!types.ok()) {
          node.fail(types.error().text, types.error().status);
          return false;
        }
        const Target mul{TargetForm::kOperator, &ops::op_info(ops::Op::mul_tensor)};
        const ir::Node* product = add_call(node, mul, factors, {{"", types->front()}});
        (*args)[1] = product->result();
        number = 1;
        break;
      }
      case ops::Op::full:
        *args = {filled(node, "torch.ops.aten.expand.default", number, (*args)[0])};
        target->info = &ops::op_info(ops::Op::clone);
        break;
      case ops::Op::full_like:
        *args = {filled(node, "torch.ops.aten.expand_as.default", number, (*args)[0])};
        target->info = &ops::op_info(ops::Op::clone);
        break;
      case ops::Op::scalar_tensor:
        *args = {number};
        target->info = &ops::op_info(ops::Op::clone);
        break;
      default:
        node.fail("a complex number as the argument '" + std::string(declared.name) +
                      "' is not supported",
                  Status::kNotSupported);
        return false;
    }
    if (target->info->op == ops::Op::clone) {
      args->resize(target->info->schema.arg_count);
      return true;
    }
  }
  return true;
}

Argument GraphReader::filled(const Json& node, const char* expand, const Argument& number,
                             const Argument& shape) {
  ir::TensorType type = number.value()->tensor();
  if (shape.is_value()) {
    type.sizes = shape.value()->sizes();
  } else {
    for (const Argument& size : shape.list()) {
      type.sizes.push_back(size.is_value() ? size.value()->type.value : ir::Dim(size.integer()));
    }
  }
  const Target target = context_->ops->find(expand);
  std::vector<Argument> args = {number, shape};
  args.resize(target.info->schema.arg_count, Argument(false));
  return add_call(node, target, std::move(args), {{"", Type::of(type)}})->result();
}

}  // namespace cresset::frontend
