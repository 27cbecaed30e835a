// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/value.h"
#include "extensions/data/cases.h"
#include "ops/op.h"
#include "tests/conformance/record_infer.h"

namespace cresset::tests {

// The arguments and outputs of one call of one row, made from an operator case and owned: values in
// kernel-form order that a boxed kernel can be called with.
class CallFrame {
 public:
  explicit CallFrame(const ops::OpInfo& op) : op_(op) {}
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;

  // Binds the case's arguments to the schema's, fills defaults in. An error where the call cannot
  // be expressed, for instance a complex number for a Scalar.
  Error bind(const data::OperatorCase& call);

  // Asks the row's rule, with numbers still in tensors' places. `wanted` are the case's results;
  // a call that is to be `refused` has none and gets one tensor in each list.
  Status infer(const std::vector<data::HostValue>& wanted, bool refused, Message* message);
  const Inferred& inferred() const { return inferred_; }

  // Turns numbers in tensors' places into tensors of rank 0 and makes the outputs, filled with
  // 0xA5: as inferred, with the dim orders of `wanted`; where the rule says nothing, resizable ones
  // that have room for what is wanted and start one larger.
  void make_outputs(const std::vector<data::HostValue>& wanted);

  // Makes output 0 and an input of the same dtype, shape and layout share memory; false where there
  // is none.
  bool alias_output();

  const std::vector<Value*>& values() const { return values_; }

  // The results: outputs, lists flattened, and written arguments in the order of the schema's
  // results.
  std::vector<data::HostValue> results() const;
  // The schema's name of an argument that changed though the schema does not say so; null: none.
  std::optional<std::string> wrongly_written() const;

 private:
  struct Source {  // a tensor argument, as it was before the call
    const data::HostTensor* original;
    data::HostTensor* copy;
    size_t arg;
    bool writes;
    bool aliased = false;
  };

  Error bind_arg(size_t i, const data::HostValue& value);
  Error bind_list(size_t i, const data::HostValue::List& list, Value* out);
  Tensor* add_tensor(const data::HostTensor& tensor, size_t arg);
  Tensor* add_output(DType dtype, std::vector<int32_t> sizes, std::vector<uint8_t> dim_order,
                     bool resizable);
  Value* add_value(Value value);

  const ops::OpInfo& op_;
  std::vector<Value*> values_;
  std::vector<int> value_of_arg_;  // schema argument -> index in values_, -1: not handed to kernels
  std::vector<size_t> numbers_;    // indices in values_ of numbers in tensors' places
  std::optional<DType> option_;
  bool refused_ = false;
  Inferred inferred_;
  size_t first_out_ = 0;

  std::deque<Value> value_room_;
  std::deque<data::HostTensor> tensors_;
  std::deque<Tensor> views_;
  std::deque<IntList> int_lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<uint8_t>> bools_;
  std::deque<std::vector<Tensor*>> tensor_lists_;
  std::deque<std::string> strings_;
  std::deque<std::vector<int32_t>> shapes_;
  std::vector<Source> sources_;
};

}  // namespace cresset::tests
