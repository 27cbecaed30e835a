// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "compiler/frontend/json.h"
#include "compiler/ir/error.h"
#include "core/span.h"
#include "ops/op_info.h"

namespace cresset::frontend {

// What the frontend does with a node of some target.
enum class TargetForm : uint8_t {
  kMissing,             // nothing: we do not have it
  kOperator,            // a node of the IR; arguments are bound by name
  kSymbolic,            // a node of the IR: arithmetic on sizes; arguments are bound by position
  kControlFlow,         // a node of the IR with bodies; arguments are bound by position
  kInlined,             // its body takes its place
  kAutocast,            // inlined where autocast is off
  kSymbolicSum,         // a chain of additions
  kSubclassAccess,      // the tensor inside a tensor subclass
  kWithEffects,         // a call with a token, which goes
  kAutoFunctionalized,  // a call that writes into copies of its arguments
  kIgnored,             // nothing that a program's results depend on
};

struct Target {
  TargetForm form = TargetForm::kMissing;
  const ops::OpInfo* info = nullptr;
  // The target is the in-place form of `info`, which is the functional one.
  bool in_place = false;
};

// Finds operators by the targets that exported programs name, for instance
// "torch.ops.aten.relu.default" or "_operator.add".
class OpLookup {
 public:
  // `application` holds further operators, which must outlive this.
  explicit OpLookup(Span<const ops::OpInfo> application = {}) : application_(application) {}

  Target find(std::string_view target) const;

  // kOperatorMissing with one line for every different target of `graph` (bodies included) that
  // find() does not know: its uses, the user's line, near names. No error where there is none.
  ir::Error missing_operators(const Json& graph, const std::string& model) const;

 private:
  const ops::OpInfo* find_named(const std::string& name, std::string_view overload) const;

  Span<const ops::OpInfo> application_;
};

}  // namespace cresset::frontend
