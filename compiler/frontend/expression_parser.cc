// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/expression_parser.h"

#include <cctype>
#include <charconv>
#include <string>
#include <vector>

namespace cresset::frontend {

using ir::Dim;

namespace {

constexpr int kMaxDepth = 200;
constexpr int64_t kMaxExponent = 64;
// What one expression may cost: atoms in its expansion, atoms and bytes copied on the way there.
constexpr uint64_t kMaxWeight = 256;
constexpr uint64_t kMaxWork = 1 << 15;

// dim / divisor. `weight` bounds the number of atoms in dim's expansion, so that products of sums
// in a hostile file end as unknown atoms, not as an exponential expansion.
struct Term {
  Dim dim;
  int64_t divisor = 1;
  uint64_t weight = 1;

  bool is_integer() const { return divisor == 1; }
  std::optional<int64_t> known() const { return is_integer() ? dim.known() : std::nullopt; }
};

Term number(int64_t value) { return {Dim(value), 1, 1}; }

Term integer_term(Dim dim, uint64_t weight) { return {std::move(dim), 1, weight}; }

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  ir::Expected<Dim> parse() {
    Term term = comparison();
    skip_spaces();
    if (!failed_ && at_ != text_.size()) {
      fail("trailing text");
    }
    if (failed_) {
      return ir::error(Status::kInvalidExternalData,
                       "the symbolic expression '" + std::string(text_.substr(0, 120)) +
                           (text_.size() > 120 ? "...' " : "' ") + "cannot be read: " + reason_ +
                           " at character " + std::to_string(failed_at_));
    }
    // Too costly to expand: one unknown, equal to itself wherever the same text occurs.
    return work_ > kMaxWork ? Dim::unknown(std::string(text_)) : floor(term).dim;
  }

 private:
  Term unknown(std::string text) {
    const uint64_t weight = 1 + text.size() / 16;
    work_ += text.size();
    return {Dim::unknown(text), 1, weight};
  }
  // Charges for a Dim of this weight. False: there is no budget for it.
  bool afford(uint64_t weight) {
    if (weight > kMaxWeight) {
      work_ = kMaxWork + 1;
    }
    work_ += weight;
    return work_ <= kMaxWork;
  }
  void fail(const char* reason) {
    if (!failed_) {
      failed_ = true;
      reason_ = reason;
      failed_at_ = at_;
    }
    at_ = text_.size();
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) {
      return false;
    }
    at_ += token.size();
    return true;
  }
  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string_view word() {
    skip_spaces();
    const size_t first = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    return text_.substr(first, at_ - first);
  }
  // The source text since `first`; nothing any more where the budget is spent.
  std::string source(size_t first) const {
    return std::string(work_ > kMaxWork ? "" : text_.substr(first, at_ - first));
  }

  // Comparisons and logic only name a truth value, which a size never depends on.
  Term comparison();
  Term sum();
  Term product();
  Term unary();
  Term power();
  Term primary();
  Term literal();
  Term call(std::string_view name, size_t first);
  Term symbol_call();
  Term apply(std::string_view name, const std::vector<Term>& args, size_t first);
  std::optional<Term> apply_division(std::string_view name, const std::vector<Term>& args);

  Term add(const Term& a, const Term& b, size_t first);
  Term multiply(const Term& a, const Term& b, size_t first);
  Term divide(const Term& a, const Term& b, size_t first);
  Term raise(const Term& base, const Term& exponent, size_t first);
  static Term floor(const Term& a) {
    return a.is_integer() ? a : integer_term(ir::floor_div(a.dim, a.divisor), a.weight);
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  const char* reason_ = "";
  size_t failed_at_ = 0;
  uint64_t work_ = 0;
};

Term ExpressionParser::add(const Term& a, const Term& b, size_t first) {
  const uint64_t weight = a.weight + b.weight;
  int64_t divisor = 1;
  if (!afford(weight) || __builtin_mul_overflow(a.divisor, b.divisor, &divisor)) {
    return unknown(source(first));
  }
  if (a.divisor == b.divisor) {
    return {a.dim + b.dim, a.divisor, weight};
  }
  return {a.dim * Dim(b.divisor) + b.dim * Dim(a.divisor), divisor, weight};
}

Term ExpressionParser::multiply(const Term& a, const Term& b, size_t first) {
  const uint64_t weight = a.dim.is_known()   ? b.weight
                          : b.dim.is_known() ? a.weight
                                             : 2 * a.weight * b.weight;
  int64_t divisor = 1;
  if (!afford(weight) || __builtin_mul_overflow(a.divisor, b.divisor, &divisor)) {
    return unknown(source(first));
  }
  const std::optional<int64_t> x = a.dim.known();
  const std::optional<int64_t> y = b.dim.known();
  // 4 * (s0 / 2) is 2 * s0.
  if (x && b.divisor > 1 && *x % b.divisor == 0) {
    return {b.dim * Dim(*x / b.divisor), a.divisor, weight};
  }
  if (y && a.divisor > 1 && *y % a.divisor == 0) {
    return {a.dim * Dim(*y / a.divisor), b.divisor, weight};
  }
  return {a.dim * b.dim, divisor, weight};
}

Term ExpressionParser::divide(const Term& a, const Term& b, size_t first) {
  const std::optional<int64_t> by = b.known();
  if (!by || *by == 0 || *by == INT64_MIN) {
    return unknown(source(first));
  }
  int64_t divisor = 1;
  if (__builtin_mul_overflow(a.divisor, *by < 0 ? -*by : *by, &divisor)) {
    return unknown(source(first));
  }
  const Dim dim = *by < 0 ? Dim(0) - a.dim : a.dim;
  if (const std::optional<int64_t> value = dim.known(); value && *value % divisor == 0) {
    return number(*value / divisor);
  }
  return {dim, divisor, a.weight};
}

Term ExpressionParser::raise(const Term& base, const Term& exponent, size_t first) {
  const std::optional<int64_t> n = exponent.known();
  if (!n || *n > kMaxExponent || *n < -1) {
    return unknown(source(first));
  }
  if (*n == -1) {
    return divide(number(1), base, first);
  }
  Term result = number(1);
  for (int64_t i = 0; i < *n; ++i) {
    result = multiply(result, base, first);
  }
  return result;
}

Term ExpressionParser::comparison() {
  skip_spaces();
  const size_t first = at_;
  if (++depth_ > kMaxDepth) {
    fail("too deep");
  }
  Term left = sum();
  bool logical = false;
  while (!failed_) {
    bool found = false;
    for (std::string_view op : {"==", "!=", "<=", ">=", "<", ">", "&", "|"}) {
      if (take(op)) {
        found = true;
        break;
      }
    }
    if (!found) {
      break;
    }
    sum();
    logical = true;
  }
  --depth_;
  return logical ? unknown(source(first)) : left;
}

Term ExpressionParser::sum() {
  skip_spaces();
  const size_t first = at_;
  Term left = product();
  while (!failed_) {
    if (take("+")) {
      left = add(left, product(), first);
    } else if (take("-")) {
      left = add(left, multiply(number(-1), product(), first), first);
    } else {
      break;
    }
  }
  return left;
}

Term ExpressionParser::product() {
  skip_spaces();
  const size_t first = at_;
  Term left = unary();
  while (!failed_) {
    if (take("//")) {
      const Term right = floor(unary());
      left =
          right.known() == 0 || !afford(left.weight + right.weight)
              ? unknown(source(first))
              : integer_term(ir::floor_div(floor(left).dim, right.dim), left.weight + right.weight);
    } else if (take("*")) {
      left = multiply(left, unary(), first);
    } else if (take("/")) {
      left = divide(left, unary(), first);
    } else if (take("%")) {
      const Term right = floor(unary());
      left = right.known() == 0 || !afford(left.weight + right.weight)
                 ? unknown(source(first))
                 : integer_term(ir::mod(floor(left).dim, right.dim), left.weight + right.weight);
    } else {
      break;
    }
  }
  return left;
}

Term ExpressionParser::unary() {
  skip_spaces();
  const size_t first = at_;
  if (++depth_ > kMaxDepth) {
    fail("too deep");
  }
  Term term;
  if (take("-")) {
    term = multiply(number(-1), unary(), first);
  } else if (take("~")) {
    unary();
    term = unknown(source(first));
  } else {
    term = power();
  }
  --depth_;
  return term;
}

Term ExpressionParser::power() {
  skip_spaces();
  const size_t first = at_;
  Term base = primary();
  return take("**") ? raise(base, unary(), first) : base;
}

Term ExpressionParser::primary() {
  const char next = peek();
  const size_t first = at_;
  if (failed_) {
    return {};
  }
  if (take("(")) {
    Term inner = comparison();
    if (!take(")")) {
      fail("expected ')'");
    }
    return inner;
  }
  if (std::isdigit(static_cast<unsigned char>(next)) != 0 || next == '.') {
    return literal();
  }
  const std::string_view name = word();
  if (name.empty()) {
    fail("expected a number, a name or '('");
    return {};
  }
  if (peek() == '(') {
    return call(name, first);
  }
  if (name == "oo" || name == "int_oo" || name == "true" || name == "false" || name == "True" ||
      name == "False" || name == "nan" || name == "zoo") {
    return unknown(std::string(name));
  }
  return {Dim::symbol(std::string(name)), 1, 1};
}

Term ExpressionParser::literal() {
  const size_t first = at_;
  int64_t value = 0;
  const char* end = text_.data() + text_.size();
  const auto [after, error] = std::from_chars(text_.data() + at_, end, value);
  if (error == std::errc()) {
    at_ = static_cast<size_t>(after - text_.data());
    if (peek() != '.' && peek() != 'e') {
      return number(value);
    }
  } else if (error == std::errc::result_out_of_range && after != end && *after != '.' &&
             *after != 'e') {
    fail("an integer of more than 64 bits");
    return {};
  }
  at_ = first;
  double real = 0;
  const auto [real_after, real_error] = std::from_chars(text_.data() + at_, end, real);
  if (real_error != std::errc()) {
    fail("a number out of range");
    return {};
  }
  at_ = static_cast<size_t>(real_after - text_.data());
  return unknown(source(first));
}

// Symbol('s77', positive=True, integer=True)
Term ExpressionParser::symbol_call() {
  const char quote = peek();
  const size_t open = at_;
  const size_t close = quote == '\'' || quote == '"' ? text_.find(quote, open + 1) : text_.npos;
  const size_t end = close == text_.npos ? text_.npos : text_.find(')', close);
  if (end == text_.npos || close == open + 1) {
    fail("expected a symbol's name");
    return {};
  }
  at_ = end + 1;
  return {Dim::symbol(std::string(text_.substr(open + 1, close - open - 1))), 1, 1};
}

Term ExpressionParser::call(std::string_view name, size_t first) {
  take("(");
  if (name == "Symbol") {
    return symbol_call();
  }
  if (++depth_ > kMaxDepth) {
    fail("too deep");
  }
  std::vector<Term> args;
  while (!failed_ && !take(")")) {
    if (!args.empty() && !take(",")) {
      fail("expected ',' or ')'");
      break;
    }
    const char next = peek();
    if (next == '\'' || next == '"') {  // Float('0.5', precision=53)
      const size_t close = text_.find(next, at_ + 1);
      if (close == text_.npos) {
        fail("an open text");
        break;
      }
      args.push_back(unknown(std::string(text_.substr(at_, close + 1 - at_))));
      at_ = close + 1;
      continue;
    }
    const size_t start = at_;
    word();
    if (peek() == '=' && text_.substr(at_, 2) != "==") {  // precision=53, evaluate=False
      ++at_;
      word();
      args.push_back(unknown(source(start)));
      continue;
    }
    at_ = start;
    args.push_back(comparison());
  }
  --depth_;
  return failed_ ? Term() : apply(name, args, first);
}

// The functions of two arguments that divide or shift.
std::optional<Term> ExpressionParser::apply_division(std::string_view name,
                                                     const std::vector<Term>& args) {
  if (args.size() < 2) {
    return std::nullopt;
  }
  const Term a = floor(args[0]);
  const Term b = floor(args[1]);
  const uint64_t weight = a.weight + b.weight;
  const std::optional<int64_t> by = b.known();
  if (!afford(weight)) {
    return std::nullopt;
  }
  if (by == 0 && name != "LShift" && name != "RShift") {
    return std::nullopt;
  }
  if (name == "FloorDiv" || name == "CleanDiv") {
    return integer_term(ir::floor_div(a.dim, b.dim), weight);
  }
  if (name == "Mod" || name == "PythonMod") {
    return integer_term(ir::mod(a.dim, b.dim), weight);
  }
  if (name == "CeilDiv" && by && *by > 0) {
    return integer_term(ir::floor_div(a.dim + Dim(*by - 1), b.dim), weight);
  }
  if (name == "ModularIndexing" && args.size() == 3) {
    const Term m = floor(args[2]);
    if (m.known() == 0) {
      return std::nullopt;
    }
    return integer_term(ir::mod(ir::floor_div(a.dim, b.dim), m.dim), weight + m.weight);
  }
  if (name == "LShift" && by && *by >= 0 && *by < 63) {
    return integer_term(a.dim * Dim(int64_t{1} << *by), weight);
  }
  if (name == "RShift" && by && *by >= 0 && *by < 63) {
    return integer_term(ir::floor_div(a.dim, Dim(int64_t{1} << *by)), weight);
  }
  return std::nullopt;
}

Term ExpressionParser::apply(std::string_view name, const std::vector<Term>& args, size_t first) {
  const auto is = [name](std::string_view other) { return name == other; };
  if ((is("Integer") || is("Identity") || is("ToFloat")) && args.size() == 1) {
    return args[0];
  }
  if ((is("Rational") || is("IntTrueDiv")) && args.size() == 2) {
    return divide(args[0], args[1], first);
  }
  if ((is("Pow") || is("PowByNatural")) && args.size() == 2) {
    return raise(args[0], args[1], first);
  }
  if ((is("floor") || is("FloorToInt")) && args.size() == 1) {
    return floor(args[0]);
  }
  if ((is("ceiling") || is("CeilToInt")) && args.size() == 1) {
    const Term& a = args[0];
    return a.is_integer()
               ? a
               : integer_term(ir::floor_div(a.dim + Dim(a.divisor - 1), a.divisor), a.weight);
  }
  if (is("TruncToInt") && args.size() == 1 && args[0].is_integer()) {
    return args[0];
  }
  if (!args.empty() && (is("Add") || is("Mul"))) {
    Term result = args[0];
    for (size_t i = 1; i < args.size(); ++i) {
      result = is("Add") ? add(result, args[i], first) : multiply(result, args[i], first);
    }
    return result;
  }
  if (!args.empty() && (is("Max") || is("Min"))) {
    Term result = floor(args[0]);
    for (size_t i = 1; i < args.size(); ++i) {
      const Term next = floor(args[i]);
      if (!afford(result.weight + next.weight)) {
        return unknown(source(first));
      }
      result =
          integer_term(is("Max") ? ir::max(result.dim, next.dim) : ir::min(result.dim, next.dim),
                       result.weight + next.weight);
    }
    return result;
  }
  if (std::optional<Term> divided = apply_division(name, args)) {
    return *divided;
  }
  return unknown(source(first));
}

}  // namespace

ir::Expected<Dim> parse_expression(std::string_view text) { return ExpressionParser(text).parse(); }

}  // namespace cresset::frontend
