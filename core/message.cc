// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/message.h"

namespace cresset {

void Message::clear() {
  length_ = 0;
  if (!buffer_.empty()) {
    buffer_[0] = '\0';
  }
}

void Message::put(char c) {
  if (length_ + 1 < buffer_.size()) {
    buffer_[length_++] = c;
    buffer_[length_] = '\0';
  }
}

void Message::put_text(const char* text) {
  for (; text != nullptr && *text != '\0'; ++text) {
    put(*text);
  }
}

void Message::put_unsigned(uint64_t value) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0) {
    put(digits[--count]);
  }
}

void Message::put_int(int64_t value) {
  if (value < 0) {
    put('-');
  }
  put_unsigned(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
}

// Six significant digits, enough to recognise a value; not meant for reading back.
void Message::put_double(double value) {
  if (value != value) {
    put_text("nan");
    return;
  }
  if (value < 0) {
    put('-');
    value = -value;
  }
  if (value > 1.7976931348623157e308) {
    put_text("inf");
    return;
  }
  int exponent = 0;
  while (value >= 1e6) {
    value /= 10;
    ++exponent;
  }
  while (value != 0 && value < 1e-3) {
    value *= 10;
    --exponent;
  }
  const uint64_t whole = static_cast<uint64_t>(value);
  put_unsigned(whole);
  uint64_t fraction = static_cast<uint64_t>((value - static_cast<double>(whole)) * 1e6 + 0.5);
  if (fraction > 999999) {
    fraction = 999999;
  }
  if (fraction != 0) {
    put('.');
    for (uint64_t unit = 100000; unit != 0 && fraction != 0; unit /= 10) {
      put(static_cast<char>('0' + fraction / unit));
      fraction %= unit;
    }
  }
  if (exponent != 0) {
    put('e');
    put_int(exponent);
  }
}

void Message::put_arg(const MessageArg& arg) {
  switch (arg.kind_) {
    case MessageArg::Kind::kInt:
      return put_int(arg.int_);
    case MessageArg::Kind::kUnsigned:
      return put_unsigned(arg.unsigned_);
    case MessageArg::Kind::kDouble:
      return put_double(arg.double_);
    case MessageArg::Kind::kText:
      return put_text(arg.text_);
    case MessageArg::Kind::kTextRange:
      for (size_t i = 0; i < arg.size_; ++i) {
        put(arg.text_[i]);
      }
      return;
    case MessageArg::Kind::kInts32:
    case MessageArg::Kind::kInts64:
    case MessageArg::Kind::kOrder:
      put('[');
      for (size_t i = 0; i < arg.size_; ++i) {
        put_text(i == 0 ? "" : ", ");
        put_int(arg.kind_ == MessageArg::Kind::kInts32   ? arg.ints32_[i]
                : arg.kind_ == MessageArg::Kind::kInts64 ? arg.ints64_[i]
                                                         : arg.order_[i]);
      }
      return put(']');
  }
}

void Message::append(const char* format, Span<const MessageArg> args) {
#ifdef CRESSET_STRIP_MESSAGES
  (void)format;
  (void)args;
#else
  size_t next = 0;
  for (; *format != '\0'; ++format) {
    if (format[0] == '{' && format[1] == '}' && next < args.size()) {
      put_arg(args[next++]);
      ++format;
    } else {
      put(*format);
    }
  }
#endif
}

}  // namespace cresset
