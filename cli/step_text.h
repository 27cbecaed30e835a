// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/ir/schedule.h"

// How reports write what a program executes.
namespace cresset::cli {

std::string op_text(const ops::OpInfo& op);  // "aten::add.Tensor"
std::string type_text(const ir::Register& reg);
std::string storage_text(const ir::Register& reg);  // "arena 0 at 64"
// The library that computes a call of the operator.
std::string kernel_text(const ops::OpInfo& op);
// The operator, the backend, "move" or "jump if false".
std::string step_text(const ir::Schedule& method, const ir::Step& step);

// Calls f(register) for each register that the operand names.
template <class F>
void for_each_register(const ir::Operand& operand, F&& f) {
  if (operand.is_register()) {
    f(operand.reg());
  } else if (operand.is_list()) {
    for (const ir::Operand& item : operand.list()) {
      for_each_register(item, f);
    }
  }
}

// Calls f(register) for each output of a call; of other steps there are none.
template <class F>
void for_each_output(const ir::Step& step, F&& f) {
  for (size_t i = step.operands.size() - step.out_count; i < step.operands.size(); ++i) {
    for_each_register(step.operands[i], f);
  }
}

}  // namespace cresset::cli
