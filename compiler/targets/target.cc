// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/targets/target.h"

#include <algorithm>

#include "ops/op.h"

namespace cresset::targets {

namespace {

std::vector<Target> build_targets() {
  std::vector<Target> targets;
#define BEGIN(target_name) \
  {                        \
    Target target;         \
    target.name = #target_name;
#define END(target_name)     \
  targets.push_back(target); \
  }
#define TARGET_SET(field, setting) target.field = setting;
#define TARGET_OP(id) target.rows.push_back(ops::Op::id);
#define TARGET_ORDERED(id) target.ordered_rows.push_back(ops::Op::id);
#define TARGET_DTYPES(id, set) target.dtype_rows.emplace_back(ops::Op::id, DTypes::set);
#define TARGET_RANKS(id, min, max) target.rank_rows.push_back({ops::Op::id, min, max});
// clang-format off
#include "compiler/targets/targets.inc"
  // clang-format on
  return targets;
}

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = build_targets();
  return targets;
}

// The first complex tensor among arguments and results, or else the first tensor; null: none.
const ir::TensorType* telling_tensor(const ir::Node& node) {
  const ir::TensorType* telling = nullptr;
  const auto see = [&](const ir::Value* value) {
    if (value->is_tensor() &&
        (telling == nullptr || (!is_complex(telling->dtype) && is_complex(value->dtype())))) {
      telling = &value->tensor();
    }
  };
  node.for_each_value(see);
  for (const ir::Value* result : node.results()) {
    see(result);
  }
  return telling;
}

bool holds(DTypes set, DType dtype) {
  const bool is_float = dtype == DType::kFloat16 || dtype == DType::kBFloat16 ||
                        dtype == DType::kFloat32 || dtype == DType::kFloat64;
  const bool is_int = dtype == DType::kUInt8 || dtype == DType::kInt8 || dtype == DType::kInt16 ||
                      dtype == DType::kInt32 || dtype == DType::kInt64;
  const bool is_bool = dtype == DType::kBool;
  switch (set) {
    case DTypes::kAny:
      return true;
    case DTypes::kNoComplex:
      return !is_complex(dtype);
    case DTypes::kReal:
      return is_float || is_int;
    case DTypes::kFloat:
      return is_float;
    case DTypes::kIntOrBool:
      return is_int || is_bool;
    case DTypes::kRealOrBool:
      return is_float || is_int || is_bool;
    case DTypes::kRealOrComplex:
      return is_float || is_int || is_complex(dtype);
    case DTypes::kRealBoolOrComplex:
      return is_float || is_int || is_bool || is_complex(dtype);
    case DTypes::kComplex:
      return is_complex(dtype);
  }
  return false;
}

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : all_targets()) {
    names.push_back(target.name);
  }
  return names;
}

ir::Expected<Target> find_target(std::string_view name) {
  for (const Target& target : all_targets()) {
    if (target.name == name) {
      return target;
    }
  }
  std::string known;
  for (const std::string& each : target_names()) {
    known += (known.empty() ? "" : ", ") + each;
  }
  return ir::error(Status::kNotFound,
                   "unknown target '" + std::string(name) + "'; known: " + known);
}

std::string why_not(const Target& target, ops::KernelTables kernels, const ir::Node& node) {
  if (!ops::is_row(node.op())) {
    // An operator that the application brings is taken as it is.
    return node.op() == ops::Op::kCount ? "" : "no kernel";
  }
  const ir::TensorType* first = telling_tensor(node);
  const std::string dtype = first == nullptr ? "" : std::string(dtype_text(first->dtype));
  const bool found =
      target.any_row
          ? ops::find_kernel(kernels, std::string(node.info().name).c_str(),
                             std::string(node.info().out).c_str()) != nullptr
          : std::find(target.rows.begin(), target.rows.end(), node.op()) != target.rows.end();
  if (!found || first == nullptr) {
    return found ? "" : dtype.empty() ? "no kernel" : "no kernel for " + dtype;
  }
  DTypes dtypes = target.dtypes;
  for (const auto& [row, set] : target.dtype_rows) {
    dtypes = row == node.op() ? set : dtypes;
  }
  if (!holds(dtypes, first->dtype)) {
    return "the kernel of target " + target.name + " does not take " + dtype;
  }
  for (const RankRange& range : target.rank_rows) {
    const size_t rank = first->sizes.size();
    if (range.row == node.op() && (rank < range.min || rank > range.max)) {
      return "the kernel of target " + target.name + " takes tensors of " +
             std::to_string(range.min) + " to " + std::to_string(range.max) + " dimensions, not " +
             std::to_string(rank);
    }
  }
  return "";
}

bool takes_any_order(const Target& target, const ir::Node& node) {
  return target.any_order || std::find(target.ordered_rows.begin(), target.ordered_rows.end(),
                                       node.op()) != target.ordered_rows.end();
}

}  // namespace cresset::targets
