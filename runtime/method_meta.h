// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/span.h"
#include "core/tensor.h"
#include "core/value.h"

namespace cresset {

namespace schema::program {
struct EValue;
struct ExecutionPlan;
}  // namespace schema::program

// What a program says about one tensor. Points into the program.
struct TensorInfo {
  DType dtype = DType::kFloat32;
  Span<const int32_t> sizes;  // upper bounds where dynamism is kBounded
  Span<const uint8_t> dim_order;
  Dynamism dynamism = Dynamism::kStatic;
  bool planned = false;  // its memory lies in a planned buffer; otherwise the caller supplies it
  uint32_t buffer = 0;   // of a planned tensor: which planned buffer, and where in it
  uint64_t offset = 0;
  bool constant = false;  // its memory is the program's, or a data file's
  const char* name =
      "";             // fully qualified name of a state or external tensor, where the file has it
  size_t nbytes = 0;  // of the largest shape
};

// What a program says about one method: everything an application needs to know before it loads it.
// A view into a loaded Program, valid while that lives; cheap to copy.
class MethodMeta {
 public:
  // `plan` belongs to a verified program.
  explicit MethodMeta(const schema::program::ExecutionPlan* plan) : plan_(plan) {}

  const char* name() const;

  size_t input_count() const;
  size_t output_count() const;
  // Kinds are kTensor, kInt, kDouble, kBool, kNone; outputs may also be strings and lists.
  Value::Kind input_kind(size_t index) const;
  Value::Kind output_kind(size_t index) const;
  // The entry must be a tensor.
  TensorInfo input(size_t index) const;
  TensorInfo output(size_t index) const;
  // The number (or none) that a primitive input must have: it was fixed when the model was
  // exported.
  Value fixed_input(size_t index) const;

  // Buffers that the caller gives to Method::load, in this order, each of at least this size.
  size_t planned_buffer_count() const;
  size_t planned_buffer_bytes(size_t index) const;

  // Over all chains.
  size_t instruction_count() const;

  size_t operator_count() const;
  // Namespace and name, for instance "aten::add".
  const char* operator_name(size_t index) const;
  // For instance "out"; empty where there is none.
  const char* operator_overload(size_t index) const;

  size_t delegate_count() const;
  const char* delegate_id(size_t index) const;

  // Number of entries in the method's value table, and each entry; for tools that look inside.
  size_t value_count() const;
  Value::Kind value_kind(size_t index) const;
  TensorInfo value_tensor(size_t index) const;

  // How nested inputs and outputs flatten (schema/FORMAT.md); empty where the file does not say.
  const char* input_tree() const;
  const char* output_tree() const;

 private:
  const schema::program::EValue& value(size_t index) const;

  const schema::program::ExecutionPlan* plan_;
};

}  // namespace cresset
