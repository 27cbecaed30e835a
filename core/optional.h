// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace cresset {

// A trivially copyable T that may be absent; std::optional without exceptions.
template <class T>
class Optional {
 public:
  constexpr Optional() = default;
  constexpr Optional(T value) : has_value_(true), value_(value) {}  // NOLINT(runtime/explicit)

  constexpr bool has_value() const { return has_value_; }
  constexpr explicit operator bool() const { return has_value_; }
  // Meaningless unless has_value().
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }
  constexpr T value_or(T other) const { return has_value_ ? value_ : other; }

 private:
  bool has_value_ = false;
  T value_ = T();
};

}  // namespace cresset
