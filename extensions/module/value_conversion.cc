// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/value_conversion.h"

namespace cresset {

using data::HostTensor;
using data::HostValue;

RuntimeValue::RuntimeValue(const HostValue& host) : host_(host) {
  if (HostTensor* tensor = host_.get<HostTensor>()) {
    tensor_ = tensor->view();
    value_ = Value::of_tensor(&tensor_);
  } else if (const bool* truth = host_.get<bool>()) {
    value_ = Value::of_bool(*truth);
  } else if (const int64_t* integer = host_.get<int64_t>()) {
    value_ = Value::of_int(*integer);
  } else if (const double* number = host_.get<double>()) {
    value_ = Value::of_double(*number);
  } else if (const std::string* text = host_.get<std::string>()) {
    value_ = Value::of_string(text->c_str());
  }
}

HostValue to_host(const Value& value) {
  HostValue::List list;
  switch (value.kind()) {
    case Value::Kind::kNone:
      return {};
    case Value::Kind::kInt:
      return {value.as_int()};
    case Value::Kind::kDouble:
      return {value.as_double()};
    case Value::Kind::kBool:
      return {value.as_bool()};
    case Value::Kind::kString:
      return {std::string(value.as_string())};
    case Value::Kind::kTensor:
      return {HostTensor::copy_of(*value.as_tensor())};
    case Value::Kind::kIntList:
      for (const int64_t item : value.as_ints()) {
        list.push_back({item});
      }
      break;
    case Value::Kind::kDoubleList:
      for (const double item : value.as_doubles()) {
        list.push_back({item});
      }
      break;
    case Value::Kind::kBoolList:
      for (const bool item : value.as_bools()) {
        list.push_back({item});
      }
      break;
    case Value::Kind::kTensorList:
      for (const Tensor* item : value.as_tensors()) {
        list.push_back(item == nullptr ? HostValue() : HostValue{HostTensor::copy_of(*item)});
      }
      break;
  }
  return {std::move(list)};
}

}  // namespace cresset
