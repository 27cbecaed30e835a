// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>

#include "core/status.h"

namespace cresset::ir {

// Why host code failed: a status, and a text that says what, where (node, source line of the model)
// and what to do. Default constructed: no error.
struct [[nodiscard]] Error {
  Status status = Status::kOk;
  std::string text;

  bool ok() const { return status == Status::kOk; }
  explicit operator bool() const { return !ok(); }  // `if (Error e = f()) return e;`
};

inline Error error(Status status, std::string text) { return {status, std::move(text)}; }
inline Error bad_model(std::string text) { return {Status::kInvalidProgram, std::move(text)}; }
inline Error not_supported(std::string text) { return {Status::kNotSupported, std::move(text)}; }

// A T or an Error. `if (!r.ok()) return r.error();`
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : value_(std::move(value)), has_value_(true) {}  // NOLINT(runtime/explicit)
  Expected(Error error) : error_(std::move(error)) {}                // NOLINT(runtime/explicit)

  bool ok() const { return has_value_; }
  const Error& error() const { return error_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_{};
  Error error_;
  bool has_value_ = false;
};

}  // namespace cresset::ir
