// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/check_args.h"

namespace cresset::ops {

namespace {

struct Expected {
  const char* text;
  uint16_t kinds;  // bit k: Value::Kind k is accepted
};

constexpr uint16_t bit(Value::Kind kind) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(kind));
}
constexpr uint16_t kNoneBit = bit(Value::Kind::kNone);
constexpr uint16_t kNumberBits =
    bit(Value::Kind::kInt) | bit(Value::Kind::kDouble) | bit(Value::Kind::kBool);
constexpr uint16_t kIntBits = bit(Value::Kind::kInt) | bit(Value::Kind::kBool);

Expected expected(ArgCode code) {
  switch (code) {
    case ArgCode::kTensor:
    case ArgCode::kMutableTensor:
    case ArgCode::kOutTensor:
      return {"tensor", bit(Value::Kind::kTensor)};
    case ArgCode::kOptionalTensor:
      return {"tensor or none", static_cast<uint16_t>(bit(Value::Kind::kTensor) | kNoneBit)};
    case ArgCode::kTensors:
    case ArgCode::kOptionalTensors:
    case ArgCode::kOutTensors:
      return {"tensor list", bit(Value::Kind::kTensorList)};
    case ArgCode::kScalar:
    case ArgCode::kDouble:
      return {"number", kNumberBits};
    case ArgCode::kOptionalScalar:
    case ArgCode::kOptionalDouble:
      return {"number or none", static_cast<uint16_t>(kNumberBits | kNoneBit)};
    case ArgCode::kInt:
    case ArgCode::kBool:
      return {"int or bool", kIntBits};
    case ArgCode::kOptionalInt:
    case ArgCode::kOptionalBool:
      return {"int, bool or none", static_cast<uint16_t>(kIntBits | kNoneBit)};
    case ArgCode::kInts:
      return {"int list", bit(Value::Kind::kIntList)};
    case ArgCode::kOptionalInts:
      return {"int list or none", static_cast<uint16_t>(bit(Value::Kind::kIntList) | kNoneBit)};
    case ArgCode::kDoubles:
      return {"float list", bit(Value::Kind::kDoubleList)};
    case ArgCode::kOptionalDoubles:
      return {"float list or none",
              static_cast<uint16_t>(bit(Value::Kind::kDoubleList) | kNoneBit)};
    case ArgCode::kBools:
      return {"bool list", bit(Value::Kind::kBoolList)};
    case ArgCode::kString:
      return {"string", bit(Value::Kind::kString)};
    case ArgCode::kOptionalString:
      return {"string or none", static_cast<uint16_t>(bit(Value::Kind::kString) | kNoneBit)};
    case ArgCode::kDType:
      return {"dtype", bit(Value::Kind::kInt)};
    case ArgCode::kOptionalDType:
      return {"dtype or none", static_cast<uint16_t>(bit(Value::Kind::kInt) | kNoneBit)};
    case ArgCode::kOutValue:
      return {"number", static_cast<uint16_t>(kNumberBits | kNoneBit)};
  }
  return {"nothing", 0};
}

}  // namespace

Status check_args(const Kernel& kernel, Value* const* args, size_t count, Message* message) {
  if (count != kernel.arg_count) {
    return message->fail(Status::kInvalidArgument, "{}.{}: {} arguments given, {} expected",
                         kernel.name, kernel.overload, count, kernel.arg_count);
  }
  for (size_t i = 0; i < count; ++i) {
    const Expected want = expected(kernel.codes[i]);
    const Value& value = *args[i];
    if ((want.kinds & bit(value.kind())) == 0) {
      return message->fail(Status::kInvalidArgument, "{}.{}: argument {} is a {}, expected {}",
                           kernel.name, kernel.overload, i, kind_text(value.kind()), want.text);
    }
    const bool holes_allowed = kernel.codes[i] == ArgCode::kOptionalTensors;
    if (value.kind() == Value::Kind::kTensorList && !holes_allowed) {
      for (const Tensor* item : value.as_tensors()) {
        if (item == nullptr) {
          return message->fail(Status::kInvalidArgument, "{}.{}: argument {} has an absent tensor",
                               kernel.name, kernel.overload, i);
        }
      }
    }
    const bool is_dtype =
        kernel.codes[i] == ArgCode::kDType || kernel.codes[i] == ArgCode::kOptionalDType;
    if (is_dtype && !value.is_none() &&
        !(value.as_int() >= 0 && value.as_int() < 128 &&
          dtype_known(static_cast<int>(value.as_int())))) {
      return message->fail(Status::kInvalidArgument, "{}.{}: argument {} is no dtype: {}",
                           kernel.name, kernel.overload, i, value.as_int());
    }
  }
  return Status::kOk;
}

}  // namespace cresset::ops
