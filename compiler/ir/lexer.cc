// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/lexer.h"

#include <fmt/core.h>

namespace cresset::ir {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

int hex_digit(char c) { return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

}  // namespace

Lexer::Lexer(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
  advance();
}

Token Lexer::next() {
  Token token = std::move(token_);
  advance();
  return token;
}

bool Lexer::take_sign(std::string_view sign) {
  const bool taken = is_sign(sign);
  if (taken) {
    advance();
  }
  return taken;
}

bool Lexer::take_word(std::string_view word) {
  const bool taken = is_word(word);
  if (taken) {
    advance();
  }
  return taken;
}

Error Lexer::error(const std::string& what) const {
  const std::string found =
      at_end() ? "the end" : fmt::format("'{}'", std::string(token_.begin, token_.end));
  return bad_model(fmt::format("line {}: {}, found {}", token_.line, what, found));
}

// Behind the opening quote; leaves at_ behind the closing one.
void Lexer::read_string() {
  token_.text.clear();
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    if (*at_ != '\\' || end_ - at_ < 2) {
      token_.text += *at_++;
      continue;
    }
    const char escape = at_[1];
    at_ += 2;
    if (escape == 'x' && end_ - at_ >= 2 && hex_digit(at_[0]) >= 0 && hex_digit(at_[1]) >= 0) {
      token_.text += static_cast<char>(hex_digit(at_[0]) * 16 + hex_digit(at_[1]));
      at_ += 2;
    } else {
      token_.text += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape;
    }
  }
  at_ += at_ != end_ && *at_ == '"';
}

void Lexer::advance() {
  token_ = Token();
  while (at_ != end_) {
    if (*at_ == '\n') {
      ++line_;
      ++at_;
    } else if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r') {
      ++at_;
    } else if (end_ - at_ >= 2 && at_[0] == '/' && at_[1] == '/') {
      const char* behind = at_ + 2;
      while (behind != end_ && *behind == ' ') {
        ++behind;
      }
      if (behind != end_ && *behind == '"') {
        token_ = {Token::Kind::kSign, "//", line_, at_, at_ + 2};
        at_ += 2;
        return;
      }
      while (at_ != end_ && *at_ != '\n') {
        ++at_;
      }
    } else {
      break;
    }
  }
  token_.line = line_;
  token_.begin = at_;
  token_.end = at_;
  if (at_ == end_) {
    return;
  }
  const char first = *at_;
  if (first == '"') {
    token_.kind = Token::Kind::kString;
    ++at_;
    read_string();
  } else if (first == '%' && end_ - at_ >= 2 && at_[1] == '"') {
    token_.kind = Token::Kind::kValue;
    at_ += 2;
    read_string();
  } else if (is_letter(first) || is_digit(first) || first == '%') {
    const bool number = is_digit(first);
    token_.kind = number         ? Token::Kind::kNumber
                  : first == '%' ? Token::Kind::kValue
                                 : Token::Kind::kWord;
    at_ += first == '%';
    const char* start = at_;
    while (at_ != end_ && (is_letter(*at_) || is_digit(*at_) || *at_ == '.' ||
                           (number && (*at_ == '+' || *at_ == '-') && at_[-1] == 'e'))) {
      ++at_;
    }
    token_.text.assign(start, at_);
  } else {
    token_.kind = Token::Kind::kSign;
    token_.text = first;
    ++at_;
  }
  token_.end = at_;
}

}  // namespace cresset::ir
