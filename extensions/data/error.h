// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/status.h"

namespace cresset::data {

// Why a file or a value was refused: one line, without a final full stop, that names the file and
// the fault.
struct [[nodiscard]] Error {
  Status status = Status::kOk;
  std::string text;

  bool ok() const { return status == Status::kOk; }
};

inline Error no_error() { return {}; }
inline Error invalid(std::string text) { return {Status::kInvalidArgument, std::move(text)}; }

// A T, or the Error that explains why there is none. Reading the wrong one stops the program.
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

}  // namespace cresset::data
