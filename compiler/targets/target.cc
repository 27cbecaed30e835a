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
// clang-format off
#include "compiler/targets/targets.inc"
  // clang-format on
  return targets;
}

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = build_targets();
  return targets;
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

bool has_kernel(const Target& target, ops::KernelTables kernels, const ir::Node& node) {
  if (!ops::is_row(node.op())) {
    return node.op() == ops::Op::kCount;  // an operator that the application brings
  }
  if (!target.any_row) {
    return std::find(target.rows.begin(), target.rows.end(), node.op()) != target.rows.end();
  }
  return ops::find_kernel(kernels, std::string(node.info().name).c_str(),
                          std::string(node.info().out).c_str()) != nullptr;
}

bool takes_any_order(const Target& target, const ir::Node& node) {
  return target.any_order || std::find(target.ordered_rows.begin(), target.ordered_rows.end(),
                                       node.op()) != target.ordered_rows.end();
}

}  // namespace cresset::targets
