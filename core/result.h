// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <new>
#include <utility>

#include "core/check.h"
#include "core/status.h"

namespace cresset {

// A T, or the Status that explains why there is none (never kOk). Reading value() of a failed
// Result is a programmer's error and stops the program.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(const T& value) : status_(Status::kOk), value_(value) {}        // NOLINT(runtime/explicit)
  Result(T&& value) : status_(Status::kOk), value_(std::move(value)) {}  // NOLINT(runtime/explicit)
  Result(Status status) : status_(status == Status::kOk ? Status::kInternal : status) {}  // NOLINT
  Result(Result&& other) noexcept : status_(other.status_) {
    if (ok()) {
      ::new (&value_) T(std::move(other.value_));
    }
  }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  Result& operator=(Result&&) = delete;
  ~Result() {
    if (ok()) {
      value_.~T();
    }
  }

  bool ok() const { return status_ == Status::kOk; }
  Status status() const { return status_; }

  T& value() & {
    CRESSET_CHECK(ok());
    return value_;
  }
  const T& value() const& {
    CRESSET_CHECK(ok());
    return value_;
  }
  T&& value() && {
    CRESSET_CHECK(ok());
    return std::move(value_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  Status status_;
  union {
    T value_;
  };
};

#define CRESSET_CONCAT_IMPL(a, b) a##b
#define CRESSET_CONCAT(a, b) CRESSET_CONCAT_IMPL(a, b)

// `CRESSET_ASSIGN(auto x, f())`: x = *f(), or leaves the enclosing function with f()'s status.
#define CRESSET_ASSIGN(lhs, expr) \
  CRESSET_ASSIGN_IMPL(CRESSET_CONCAT(cresset_result_, __LINE__), lhs, expr)
#define CRESSET_ASSIGN_IMPL(result, lhs, expr) \
  auto result = (expr);                        \
  if (!result.ok()) {                          \
    return result.status();                    \
  }                                            \
  lhs = std::move(result).value()

}  // namespace cresset
