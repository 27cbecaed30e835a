// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/constant_numbers.h"

#include <cstring>

#include "core/half.h"

namespace cresset::passes {

namespace {

// Calls f with a value of the C++ type of the dtype, or returns false.
template <class F>
bool with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kFloat32:
      f(float{});
      return true;
    case DType::kFloat64:
      f(double{});
      return true;
    case DType::kFloat16:
      f(Half{});
      return true;
    case DType::kBFloat16:
      f(BFloat16{});
      return true;
    case DType::kInt8:
      f(int8_t{});
      return true;
    case DType::kUInt8:
      f(uint8_t{});
      return true;
    case DType::kInt16:
      f(int16_t{});
      return true;
    case DType::kInt32:
      f(int32_t{});
      return true;
    case DType::kInt64:
      f(int64_t{});
      return true;
    case DType::kBool:
      f(uint8_t{});
      return true;
    default:
      return false;
  }
}

template <class T>
double number(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<double>(value);
  }
}

template <class T>
T element(double value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace

std::optional<Doubles> read_numbers(const ir::Constant& constant) {
  Doubles result;
  const bool known = with_type(constant.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    const size_t count = constant.size_bytes / sizeof(T);
    result.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, constant.bytes + i * sizeof(T), sizeof(T));
      result.push_back(number(value));
    }
  });
  return known ? std::optional<Doubles>(std::move(result)) : std::nullopt;
}

std::optional<Doubles> read_numbers(const ir::Value* value) {
  return value->origin() == ir::Value::Origin::kConstant ? read_numbers(*value->constant())
                                                         : std::nullopt;
}

ir::ConstantPtr write_numbers(const std::string& name, const ir::TensorType& type,
                              const Doubles& values) {
  ir::ConstantPtr constant;
  with_type(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> data;
    data.reserve(values.size());
    for (const double value : values) {
      data.push_back(element<T>(value));
    }
    constant = ir::make_constant(name, type, data.data(), data.size() * sizeof(T));
  });
  return constant;
}

std::vector<size_t> strides_of(const ir::TensorType& type) {
  const std::vector<uint8_t> order = type.order();
  std::vector<size_t> strides(order.size());
  size_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= static_cast<size_t>(*type.sizes[order[i]].known());
  }
  return strides;
}

}  // namespace cresset::passes
