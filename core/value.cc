// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/value.h"

namespace cresset {

Span<const int64_t> Value::as_ints() const {
  if (int_list_->items != nullptr) {
    for (uint32_t i = 0; i < int_list_->size; ++i) {
      const Value& item = *int_list_->items[i];
      int_list_->ints[i] = item.kind() == Kind::kDouble ? item.as_scalar().to_int() : item.as_int();
    }
  }
  return {int_list_->ints, int_list_->size};
}

const char* kind_text(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kNone:
      return "none";
    case Value::Kind::kInt:
      return "int";
    case Value::Kind::kDouble:
      return "float";
    case Value::Kind::kBool:
      return "bool";
    case Value::Kind::kString:
      return "string";
    case Value::Kind::kTensor:
      return "tensor";
    case Value::Kind::kIntList:
      return "int list";
    case Value::Kind::kDoubleList:
      return "float list";
    case Value::Kind::kBoolList:
      return "bool list";
    case Value::Kind::kTensorList:
      return "tensor list";
  }
  return "unknown";
}

}  // namespace cresset
