// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/partitioner/supported.h"
#include "core/error.h"
#include "extensions/data/cases.h"
#include "tests/backend_conformance/loaded.h"

namespace cresset::tests {

// One call of an operator.
struct Call {
  const ops::OpInfo* op = nullptr;
  std::string label;
  std::vector<std::optional<data::HostValue>> args;  // in schema order; nothing: the default
  Values outs;  // dtypes and ranks count; sizes where the call has none of its own yet
};

// An error where the case has arguments that the schema lacks.
Expected<Call> call_of(const ops::OpInfo& op, const data::OperatorCase& given,
                       const std::string& label);
data::OperatorCase as_case(const Call& call);

// Calls f(data::HostTensor&) for each tensor of an argument, items of lists included.
template <class F>
void for_each_tensor(data::HostValue& value, F&& f) {
  if (auto* tensor = value.get<data::HostTensor>()) {
    f(*tensor);
  } else if (auto* list = value.get<data::HostValue::List>()) {
    for (data::HostValue& item : *list) {
      for_each_tensor(item, f);
    }
  }
}

// The tensor with other sizes, its elements repeated or left out; it has some.
data::HostTensor with_sizes(const data::HostTensor& tensor, const std::vector<int32_t>& sizes);

// The call with as much of it changed as puts it within the claims, where dtypes, defaults and
// values are all that keep it out.
Call fitted(const partitioner::SupportedRow& row, const Call& base);

// Other calls that the row claims: each argument that it honours at other values and at the ends of
// what it takes, absent where it may be, each dtype, and combinations (the same `seed`, the same
// calls). Some may be none that the operator takes.
std::vector<Call> inside(const partitioner::SupportedRow& row, const Call& base, uint32_t seed);

// Calls that the row does not claim, each for one reason.
std::vector<Call> outside(const partitioner::SupportedRow& row, const Call& base);

}  // namespace cresset::tests
