// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/method_meta.h"

#include "runtime/flat_program.h"

namespace cresset {

Value::Kind kind_of(const fb::EValue& value) {
  switch (value.val_type()) {
    case fb::KernelTypes::Int:
      return Value::Kind::kInt;
    case fb::KernelTypes::Bool:
      return Value::Kind::kBool;
    case fb::KernelTypes::Double:
      return Value::Kind::kDouble;
    case fb::KernelTypes::Tensor:
      return Value::Kind::kTensor;
    case fb::KernelTypes::String:
      return Value::Kind::kString;
    case fb::KernelTypes::IntList:
      return Value::Kind::kIntList;
    case fb::KernelTypes::DoubleList:
      return Value::Kind::kDoubleList;
    case fb::KernelTypes::BoolList:
      return Value::Kind::kBoolList;
    case fb::KernelTypes::TensorList:
    case fb::KernelTypes::OptionalTensorList:
      return Value::Kind::kTensorList;
    default:
      return Value::Kind::kNone;
  }
}

TensorInfo tensor_info(const fb::Tensor& tensor) {
  TensorInfo info;
  info.dtype = static_cast<DType>(tensor.scalar_type());
  info.sizes = {tensor.sizes()->data(), tensor.sizes()->size()};
  info.dim_order = {tensor.dim_order()->data(), tensor.dim_order()->size()};
  info.dynamism = tensor.shape_dynamism() == fb::TensorShapeDynamism::STATIC ? Dynamism::kStatic
                                                                             : Dynamism::kBounded;
  info.planned = tensor.allocation_info() != nullptr;
  if (info.planned) {
    info.buffer = tensor.allocation_info()->memory_id() - 1;
    info.offset = planned_offset(*tensor.allocation_info());
  }
  info.constant = !info.planned && (tensor.data_buffer_idx() != 0 || is_external(tensor));
  if (tensor.extra_tensor_info() != nullptr) {
    info.name = text_of(tensor.extra_tensor_info()->fully_qualified_name());
  }
  (void)tensor_bytes(info.dtype, info.sizes, &info.nbytes);
  return info;
}

const char* MethodMeta::name() const { return text_of(plan_->name()); }

const fb::EValue& MethodMeta::value(size_t index) const {
  return *plan_->values()->Get(static_cast<uint32_t>(index));
}

size_t MethodMeta::input_count() const { return plan_->inputs()->size(); }
size_t MethodMeta::output_count() const { return plan_->outputs()->size(); }

Value::Kind MethodMeta::input_kind(size_t index) const {
  return value_kind(static_cast<size_t>(plan_->inputs()->Get(static_cast<uint32_t>(index))));
}

Value::Kind MethodMeta::output_kind(size_t index) const {
  return value_kind(static_cast<size_t>(plan_->outputs()->Get(static_cast<uint32_t>(index))));
}

TensorInfo MethodMeta::input(size_t index) const {
  return value_tensor(static_cast<size_t>(plan_->inputs()->Get(static_cast<uint32_t>(index))));
}

TensorInfo MethodMeta::output(size_t index) const {
  return value_tensor(static_cast<size_t>(plan_->outputs()->Get(static_cast<uint32_t>(index))));
}

Value MethodMeta::fixed_input(size_t index) const {
  const auto& entry =
      value(static_cast<size_t>(plan_->inputs()->Get(static_cast<uint32_t>(index))));
  switch (entry.val_type()) {
    case fb::KernelTypes::Int:
      return Value::of_int(entry.val_as_Int()->int_val());
    case fb::KernelTypes::Double:
      return Value::of_double(entry.val_as_Double()->double_val());
    case fb::KernelTypes::Bool:
      return Value::of_bool(entry.val_as_Bool()->bool_val());
    default:
      return Value();
  }
}

size_t MethodMeta::planned_buffer_count() const {
  const uint32_t count = plan_->non_const_buffer_sizes()->size();
  return count == 0 ? 0 : count - 1;
}

size_t MethodMeta::planned_buffer_bytes(size_t index) const {
  return static_cast<size_t>(
      plan_->non_const_buffer_sizes()->Get(static_cast<uint32_t>(index + 1)));
}

size_t MethodMeta::instruction_count() const {
  size_t count = 0;
  for (const fb::Chain* chain : *plan_->chains()) {
    count += chain->instructions()->size();
  }
  return count;
}

size_t MethodMeta::operator_count() const { return size_of(plan_->operators()); }

const char* MethodMeta::operator_name(size_t index) const {
  return text_of(plan_->operators()->Get(static_cast<uint32_t>(index))->name());
}

const char* MethodMeta::operator_overload(size_t index) const {
  return text_of(plan_->operators()->Get(static_cast<uint32_t>(index))->overload());
}

size_t MethodMeta::delegate_count() const { return size_of(plan_->delegates()); }

const char* MethodMeta::delegate_id(size_t index) const {
  return text_of(plan_->delegates()->Get(static_cast<uint32_t>(index))->id());
}

size_t MethodMeta::value_count() const { return plan_->values()->size(); }

Value::Kind MethodMeta::value_kind(size_t index) const { return kind_of(value(index)); }

TensorInfo MethodMeta::value_tensor(size_t index) const {
  return tensor_info(*value(index).val_as_Tensor());
}

const char* MethodMeta::input_tree() const {
  const auto* tree = plan_->container_meta_type();
  return tree == nullptr ? "" : text_of(tree->encoded_inp_str());
}

const char* MethodMeta::output_tree() const {
  const auto* tree = plan_->container_meta_type();
  return tree == nullptr ? "" : text_of(tree->encoded_out_str());
}

}  // namespace cresset
