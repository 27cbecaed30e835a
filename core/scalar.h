// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <type_traits>

namespace cresset {

// A number as a program holds it: a Python bool, int or float.
class Scalar {
 public:
  enum class Kind : uint8_t { kBool, kInt, kDouble };

  constexpr Scalar() : kind_(Kind::kInt), int_(0) {}
  static constexpr Scalar of_bool(bool value) { return Scalar(Kind::kBool, value ? 1 : 0); }
  static constexpr Scalar of_int(int64_t value) { return Scalar(Kind::kInt, value); }
  static constexpr Scalar of_double(double value) { return Scalar(value); }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_double() const { return kind_ == Kind::kDouble; }

  constexpr double to_double() const { return is_double() ? double_ : static_cast<double>(int_); }
  // Truncates toward zero; doubles outside int64 (and NaN) give INT64_MIN.
  constexpr int64_t to_int() const {
    if (!is_double()) {
      return int_;
    }
    return double_ >= -9223372036854775808.0 && double_ < 9223372036854775808.0
               ? static_cast<int64_t>(double_)
               : INT64_MIN;
  }
  constexpr bool to_bool() const { return is_double() ? double_ != 0 : int_ != 0; }

  // The number converted to an element type: integers wrap, as PyTorch's conversion of an int does.
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) {
      return to_bool();
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(to_int());
    } else {
      return static_cast<T>(to_double());
    }
  }

 private:
  constexpr Scalar(Kind kind, int64_t value) : kind_(kind), int_(value) {}
  constexpr explicit Scalar(double value) : kind_(Kind::kDouble), double_(value) {}

  Kind kind_;
  union {
    int64_t int_;
    double double_;
  };
};

}  // namespace cresset
