// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/status.h"

// For hosts only; devices have Status and Message.
namespace cresset {

// Why something failed: a status, and a text without a final full stop that says what, where (file,
// node, source line of the model) and what to do. Default constructed: no error.
struct [[nodiscard]] Error {
  Status status = Status::kOk;
  std::string text;

  bool ok() const { return status == Status::kOk; }
  explicit operator bool() const { return !ok(); }  // `if (Error e = f()) return e;`
};

// What a caller, a file or a value got wrong.
inline Error invalid(std::string text) { return {Status::kInvalidArgument, std::move(text)}; }

// A T, or the Error that explains why there is none: `if (!r.ok()) return r.error();`. Reading the
// wrong one stops the program.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : value_(std::move(value)) {}     // NOLINT(runtime/explicit)
  Expected(Error error) : error_(std::move(error)) {  // NOLINT(runtime/explicit)
    CRESSET_CHECK(!error_.ok());
  }

  bool ok() const { return value_.has_value(); }
  const Error& error() const { return error_; }
  T& operator*() & {
    CRESSET_CHECK(ok());
    return *value_;
  }
  const T& operator*() const& {
    CRESSET_CHECK(ok());
    return *value_;
  }
  T&& operator*() && {
    CRESSET_CHECK(ok());
    return std::move(*value_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::optional<T> value_;
  Error error_;
};

}  // namespace cresset
