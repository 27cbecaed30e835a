// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/step_text.h"

#include <fmt/ranges.h>

#include "cli/kernel_libraries.h"

namespace cresset::cli {

std::string op_text(const ops::OpInfo& op) {
  return std::string(op.name) + (op.overload.empty() ? "" : "." + std::string(op.overload));
}

std::string storage_text(const ir::Register& reg) {
  switch (reg.storage) {
    case ir::Register::Storage::kPlanned:
      return fmt::format("arena {} at {}", reg.arena, reg.offset_bytes);
    case ir::Register::Storage::kConstant:
      return "constant";
    case ir::Register::Storage::kState:
      return fmt::format("state in arena {} at {}", reg.arena, reg.offset_bytes);
  }
  return "";
}

std::string type_text(const ir::Register& reg) {
  return reg.kind == ir::Register::Kind::kTensor
             ? fmt::format("{} {}{}", dtype_text(reg.type.dtype), ir::sizes_text(reg.type.sizes),
                           reg.type.dim_order.empty()
                               ? ""
                               : fmt::format(" order [{}]", fmt::join(reg.type.dim_order, ", ")))
             : "number";
}

std::string kernel_text(const ops::OpInfo& op) {
  const std::vector<std::string> libraries = kernel_libraries(op);
  return libraries.empty() ? "the application's" : libraries.front();
}

std::string step_text(const ir::Schedule& method, const ir::Step& step) {
  switch (step.kind) {
    case ir::Step::Kind::kKernel:
      return op_text(*step.info);
    case ir::Step::Kind::kDelegate:
      return method.delegates[step.delegate].backend;
    case ir::Step::Kind::kMove:
      return "move";
    case ir::Step::Kind::kJumpFalse:
      return "jump if false";
  }
  return "";
}

}  // namespace cresset::cli
