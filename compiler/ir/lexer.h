// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/error.h"

namespace cresset::ir {

// A piece of a graph's text.
struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kWord,    // letters, digits, '_', '.', starting with a letter or '_'
    kNumber,  // as the text has it, without a sign
    kString,  // `text` is what stands between the quotes, unescaped
    kValue,   // %name; `text` is the name
    kSign,    // one character
  };
  Kind kind = Kind::kEnd;
  std::string text;
  size_t line = 1;
  const char* begin = nullptr;  // in the source
  const char* end = nullptr;
};

// Cuts text into tokens. Spaces and line ends separate; a comment runs from // to the end of its
// line and is skipped, unless a string follows the //: that is a node's source, and "//" comes as a
// sign. Reads ahead by one token.
class Lexer {
 public:
  // `text` outlives the lexer.
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  Token next();
  bool at_end() const { return token_.kind == Token::Kind::kEnd; }
  bool is_sign(std::string_view sign) const {
    return token_.kind == Token::Kind::kSign && token_.text == sign;
  }
  bool is_word(std::string_view word) const {
    return token_.kind == Token::Kind::kWord && token_.text == word;
  }
  // Takes the sign or word if it comes next.
  bool take_sign(std::string_view sign);
  bool take_word(std::string_view word);

  // "line 3: <what>, found '...'".
  Error error(const std::string& what) const;

 private:
  void advance();
  void read_string();

  const char* at_;
  const char* end_;
  size_t line_ = 1;
  Token token_;
};

}  // namespace cresset::ir
