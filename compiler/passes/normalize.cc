// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

const ops::OpInfo* renamed(Op op) {
  switch (op) {
#define RENAME(id, to) \
  case Op::id:         \
    return &ops::op_info(Op::to);
#include "compiler/passes/renames.def"
#undef RENAME
    default:
      return nullptr;
  }
}

// Sizes that turned out to be numbers are written as numbers.
Argument with_known_ints(const Argument& argument) {
  if (argument.is_value()) {
    const Value& value = *argument.value();
    const std::optional<int64_t> known =
        value.type.kind == Type::Kind::kInt ? value.type.value.known() : std::nullopt;
    return known ? Argument(*known) : argument;
  }
  if (!argument.is_list()) {
    return argument;
  }
  ArgumentList items;
  for (const Argument& item : argument.list()) {
    items.push_back(with_known_ints(item));
  }
  return items;
}

// No result depends on it: it tells people something, or it checks what kernels check themselves.
bool only_tells(const Node& node) {
  switch (node.op()) {
    case Op::_assert_async:
    case Op::_assert_async_msg:
    case Op::_assert_scalar:
    case Op::_assert_tensor_metadata:
    case Op::_linalg_check_errors:
    case Op::_print:
    case Op::sym_constrain_range:
    case Op::sym_constrain_range_for_size:
      return true;
    default:
      return false;
  }
}

bool keeps_order(const Argument& memory_format, const TensorType& type) {
  // 0 contiguous, 1 preserve.
  return memory_format.is_none() || memory_format == Argument(1) ||
         (memory_format == Argument(0) && type.dim_order.empty());
}

// Gives its argument back unchanged.
bool is_identity(const Node& node) {
  if (node.args().empty() || !is_tensor(node.arg(0)) || node.results().size() != 1 ||
      node.arg(0).value()->dtype() != node.result()->dtype() ||
      node.arg(0).value()->rank() != node.result()->rank()) {
    return false;
  }
  const TensorType& type = node.arg(0).value()->tensor();
  switch (node.op()) {
    case Op::alias:
    case Op::alias_copy:
    case Op::detach:
    case Op::detach_copy:
    case Op::lift_fresh:
    case Op::lift_fresh_copy:
    case Op::pin_memory:
      return true;
    case Op::clone:
    case Op::contiguous:
    case Op::_to_copy:
    case Op::to_device:
    case Op::to_dtype:
    case Op::to_dtype_layout:
    case Op::to_other:
      return keeps_order(node.arg("memory_format"), type);
    case Op::type_as:
      return true;
    case Op::conj:
    case Op::_conj_physical:
    case Op::conj_physical:
    case Op::real:
    case Op::resolve_conj:
    case Op::resolve_neg:
      return !is_complex(type.dtype);
    case Op::dropout:
    case Op::feature_dropout:
    case Op::alpha_dropout:
    case Op::feature_alpha_dropout:
      return node.arg("train") == Argument(false) || node.arg("p") == Argument(0.0);
    default:
      return false;
  }
}

// The operator that takes a number where `info` takes a tensor at position `at`, or null.
const ops::OpInfo* scalar_overload(const ops::OpInfo& info, size_t at) {
  std::string overload(info.overload);
  if (at == 0) {
    overload = overload == "Tensor_Tensor" ? "Scalar"
               : overload == "self"        ? "ScalarSelf"
                                           : "Scalar_Tensor";
  } else if (overload == "Tensor_Tensor") {
    overload = "Tensor_Scalar";
  } else if (overload == "self" && at == 2) {
    overload = "ScalarOther";
  } else if (overload.starts_with("Tensor")) {
    overload.replace(0, 6, "Scalar");
  } else {
    overload = "Scalar";
  }
  const ops::OpInfo* found = ops::find_op(info.name, overload);
  if (found == nullptr || found->schema.arg_count != info.schema.arg_count ||
      found->schema.args[at].type != ops::TypeTag::kScalar) {
    return nullptr;
  }
  for (size_t i = 0; i < info.schema.arg_count; ++i) {
    if (i != at && found->schema.args[i].type != info.schema.args[i].type) {
      return nullptr;
    }
  }
  return found;
}

// A number beside tensors only raises the category of the result (bool < int < float).
DType dtype_of_number(const Node& node, const Argument& number) {
  const auto holds = [&](DType dtype) {
    return number.is_double() ? !is_integral(dtype) : number.is_bool() || dtype != DType::kBool;
  };
  if (holds(node.result()->dtype())) {
    return node.result()->dtype();
  }
  for (const Argument& argument : node.args()) {
    if (is_tensor(argument) && holds(argument.value()->dtype())) {
      return argument.value()->dtype();
    }
  }
  return number.is_double() ? DType::kFloat32 : number.is_bool() ? DType::kBool : DType::kInt64;
}

ir::Error place_numbers(ir::Graph& graph, Node* node) {
  for (size_t i = 0; i < node->schema().arg_count; ++i) {
    const ops::SchemaArg& wanted = node->schema().args[i];
    const Argument& given = node->arg(i);
    if (wanted.type != ops::TypeTag::kTensor || wanted.list || given.is_none() ||
        is_tensor(given) || given.is_list()) {
      continue;
    }
    if (const ops::OpInfo* info = scalar_overload(node->info(), i)) {
      node->set_op(*info, node->args());
      continue;
    }
    Builder b(graph, node, node);
    if (given.is_value()) {
      const DType dtype = dtype_of_number(
          *node, given.value()->type.kind == Type::Kind::kFloat ? Argument(0.5) : Argument(1));
      node->set_arg(i, b.typed(Op::scalar_tensor, {given, dtype}, {dtype, {}, {}}));
    } else if (given.is_number() && !node->results().empty()) {
      node->set_arg(i, b.scalar(given.scalar(), dtype_of_number(*node, given)));
    } else {
      return ir::bad_model(ir::describe(*node) + ": argument '" + std::string(wanted.name) +
                           "' is not a tensor");
    }
    if (b.error()) {
      return b.error();
    }
  }
  return {};
}

}  // namespace

ir::Error normalize(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return normalize(body, context); })) {
      return failure;
    }
    if (only_tells(*node)) {
      graph.erase(node);
      continue;
    }
    for (size_t i = 0; i < node->args().size(); ++i) {
      Argument known = with_known_ints(node->arg(i));
      if (!(known == node->arg(i))) {
        node->set_arg(i, std::move(known));
      }
    }
    if (const ops::OpInfo* info = renamed(node->op())) {
      std::vector<Argument> args = node->args();
      args.resize(std::min<size_t>(args.size(), info->schema.arg_count));
      node->set_op(*info, std::move(args));
    }
    if (ir::Error failure = place_numbers(graph, node)) {
      return failure;
    }
    if (is_identity(*node)) {
      graph.replace_uses(node->result(), node->arg(0).value());
      graph.erase(node);
    }
  }
  for (Argument& output : graph.outputs) {
    output = with_known_ints(output);
  }
  return {};
}

}  // namespace cresset::passes
