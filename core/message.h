// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/dtype.h"
#include "core/span.h"
#include "core/status.h"

namespace cresset {

// One value to be put into a message's text in place of a `{}`: a number, a text, a truth value, a
// dtype's name, or a list of integers written as [2, 3].
class MessageArg {
 public:
  enum class Kind : uint8_t {
    kInt,
    kUnsigned,
    kDouble,
    kText,
    kTextRange,
    kInts32,
    kInts64,
    kOrder
  };

  template <class T, std::enable_if_t<std::is_integral_v<T> && std::is_signed_v<T>, int> = 0>
  constexpr MessageArg(T value) : kind_(Kind::kInt), int_(value) {}  // NOLINT(runtime/explicit)
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_signed_v<T> &&
                                          !std::is_same_v<T, bool>,
                                      int> = 0>
  constexpr MessageArg(T value)  // NOLINT(runtime/explicit)
      : kind_(Kind::kUnsigned), unsigned_(value) {}
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  constexpr MessageArg(T value)  // NOLINT(runtime/explicit)
      : kind_(Kind::kText), text_(value ? "true" : "false") {}
  constexpr MessageArg(double value) : kind_(Kind::kDouble), double_(value) {}   // NOLINT
  constexpr MessageArg(const char* text) : kind_(Kind::kText), text_(text) {}    // NOLINT
  MessageArg(DType dtype) : kind_(Kind::kText), text_(dtype_text(dtype)) {}      // NOLINT
  MessageArg(Status status) : kind_(Kind::kText), text_(status_text(status)) {}  // NOLINT
  constexpr MessageArg(Span<const char> text)                                    // NOLINT
      : kind_(Kind::kTextRange), size_(text.size()), text_(text.data()) {}
  constexpr MessageArg(Span<const int32_t> ints)  // NOLINT(runtime/explicit)
      : kind_(Kind::kInts32), size_(ints.size()), ints32_(ints.data()) {}
  constexpr MessageArg(Span<const int64_t> ints)  // NOLINT(runtime/explicit)
      : kind_(Kind::kInts64), size_(ints.size()), ints64_(ints.data()) {}
  constexpr MessageArg(Span<const uint8_t> order)  // NOLINT(runtime/explicit)
      : kind_(Kind::kOrder), size_(order.size()), order_(order.data()) {}

 private:
  friend class Message;
  Kind kind_;
  size_t size_ = 0;
  union {
    int64_t int_;
    uint64_t unsigned_;
    double double_;
    const char* text_;
    const int32_t* ints32_;
    const int64_t* ints64_;
    const uint8_t* order_;
  };
};

// The text of the last error, in memory that the caller owns; cut off where it does not fit, always
// zero-terminated. Not thread-safe. With CRESSET_STRIP_MESSAGES only codes leave the device.
class Message {
 public:
  constexpr Message() = default;
  constexpr explicit Message(Span<char> buffer) : buffer_(buffer) {}

  const char* text() const { return buffer_.empty() || length_ == 0 ? "" : buffer_.data(); }
  size_t length() const { return length_; }
  void clear();
  // Appends `format` with each `{}` replaced by the next argument.
  void append(const char* format, Span<const MessageArg> args);
  void append(const char* format) { append(format, Span<const MessageArg>()); }
  template <class... A>
  void append(const char* format, const A&... args) {
    const MessageArg list[] = {MessageArg(args)...};
    append(format, Span<const MessageArg>(list, sizeof...(A)));
  }
  // Replaces the text and returns `status`: `return message.fail(Status::kX, "got {}", n);`
  template <class... A>
  Status fail(Status status, const char* format, const A&... args) {
    clear();
    append(format, args...);
    return status;
  }

 private:
  void put(char c);
  void put_text(const char* text);
  void put_unsigned(uint64_t value);
  void put_int(int64_t value);
  void put_double(double value);
  void put_arg(const MessageArg& arg);

  Span<char> buffer_;
  size_t length_ = 0;
};

// A message with room for N characters.
template <size_t N>
class MessageBuffer : public Message {
 public:
  MessageBuffer() : Message(Span<char>(storage_, N)) {}
  MessageBuffer(const MessageBuffer&) = delete;
  MessageBuffer& operator=(const MessageBuffer&) = delete;

 private:
  char storage_[N] = {};
};

}  // namespace cresset
