// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <vector>

#include "compiler/eval/datum.h"
#include "compiler/ir/graph.h"
#include "core/error.h"
#include "extensions/data/cases.h"
#include "extensions/data/host_value.h"
#include "ops/op.h"

namespace cresset::tests {

// A graph made of calls as operator cases describe them, and what to hand it.
class CaseGraph {
 public:
  // Appends one node for the call; its results become outputs. Arguments that are tensors become
  // inputs, but for those in `bound` (position in the schema: a value of the graph). An error where
  // the call cannot be expressed.
  Error add(const ops::OpInfo& op, bool in_place, const data::OperatorCase& call,
            const std::map<size_t, ir::Value*>& bound = {});

  std::shared_ptr<ir::Graph> graph = std::make_shared<ir::Graph>();
  std::vector<eval::Datum> inputs;
  std::vector<size_t> input_args;  // beside inputs: the argument of its node that it came from

 private:
  ir::Argument fail(std::string why);
  ir::Argument tensor_argument(const data::HostTensor& tensor);
  ir::Argument item(const ops::SchemaArg& arg, const data::HostValue& value);
  ir::Argument argument(const ops::SchemaArg& arg, const data::HostValue& value);
  std::vector<ir::Type> result_types(const ops::Schema& schema, const data::OperatorCase& call);

  size_t arg_ = 0;  // that is being made
  Error error_ = Error();
};

// The value on the host; unknown sizes become -1.
data::HostValue host_value(const eval::Datum& datum);

}  // namespace cresset::tests
