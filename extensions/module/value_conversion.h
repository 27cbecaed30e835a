// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "core/value.h"
#include "extensions/data/host_value.h"

namespace cresset {

// A host value as a program takes it for an input, with a copy of its contents: tensors, numbers,
// texts. What is no input of any program (lists, formats) becomes none.
class RuntimeValue {
 public:
  explicit RuntimeValue(const data::HostValue& host);
  RuntimeValue(const RuntimeValue&) = delete;
  RuntimeValue& operator=(const RuntimeValue&) = delete;

  const Value& value() const { return value_; }

 private:
  data::HostValue host_;
  Tensor tensor_;
  Value value_;
};

// A copy of what a register holds. Lists become lists.
data::HostValue to_host(const Value& value);

}  // namespace cresset
