// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/dim.h"

#include <algorithm>
#include <set>

namespace cresset::ir {

namespace {

std::optional<int64_t> floor_divide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) {
    return std::nullopt;
  }
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

std::optional<int64_t> apply_function(Atom::Kind kind, const std::vector<int64_t>& v) {
  if (v.size() != 2) {
    return std::nullopt;
  }
  switch (kind) {
    case Atom::Kind::kFloorDiv:
      return floor_divide(v[0], v[1]);
    case Atom::Kind::kMod: {
      const std::optional<int64_t> q = floor_divide(v[0], v[1]);
      return q ? std::optional<int64_t>(v[0] - *q * v[1]) : std::nullopt;
    }
    case Atom::Kind::kMax:
      return std::max(v[0], v[1]);
    case Atom::Kind::kMin:
      return std::min(v[0], v[1]);
    default:
      return std::nullopt;
  }
}

const char* function_name(Atom::Kind kind) {
  switch (kind) {
    case Atom::Kind::kFloorDiv:
      return "floordiv";
    case Atom::Kind::kMod:
      return "mod";
    case Atom::Kind::kMax:
      return "max";
    case Atom::Kind::kMin:
      return "min";
    default:
      return "unknown";
  }
}

int64_t saturate(__int128 value) {
  if (value > INT64_MAX) {
    return INT64_MAX;
  }
  return value < INT64_MIN ? INT64_MIN : static_cast<int64_t>(value);
}

// INT64_MAX and INT64_MIN stand for the infinities.
int64_t times(int64_t a, int64_t b) { return saturate(static_cast<__int128>(a) * b); }
int64_t plus(int64_t a, int64_t b) {
  if (a == INT64_MAX || b == INT64_MAX) {
    return INT64_MAX;
  }
  if (a == INT64_MIN || b == INT64_MIN) {
    return INT64_MIN;
  }
  return saturate(static_cast<__int128>(a) + b);
}

Range multiply(const Range& a, const Range& b) {
  const int64_t v[] = {times(a.min, b.min), times(a.min, b.max), times(a.max, b.min),
                       times(a.max, b.max)};
  return {*std::min_element(v, v + 4), *std::max_element(v, v + 4)};
}

Range bounds_of(const Atom& atom, const Ranges& ranges) {
  if (atom.kind == Atom::Kind::kSymbol) {
    const auto found = ranges.find(atom.text);
    return found == ranges.end() ? Range{0, INT64_MAX} : found->second;
  }
  if (atom.args.size() != 2) {
    return {0, INT64_MAX};
  }
  const Range a = atom.args[0].bounds(ranges);
  const Range b = atom.args[1].bounds(ranges);
  switch (atom.kind) {
    case Atom::Kind::kFloorDiv:
      if (b.min > 0) {
        const int64_t low =
            a.min >= 0 ? floor_divide(a.min, b.max == INT64_MAX ? a.min + 1 : b.max).value_or(0)
                       : floor_divide(a.min, b.min).value_or(INT64_MIN);
        const int64_t high =
            a.max == INT64_MAX
                ? INT64_MAX
                : floor_divide(a.max, a.max >= 0 ? b.min : b.max).value_or(INT64_MAX);
        return {low, high};
      }
      return {INT64_MIN, INT64_MAX};
    case Atom::Kind::kMod:
      return {0, b.max == INT64_MAX ? INT64_MAX : std::max<int64_t>(b.max - 1, 0)};
    case Atom::Kind::kMax:
      return {std::max(a.min, b.min), std::max(a.max, b.max)};
    case Atom::Kind::kMin:
      return {std::min(a.min, b.min), std::min(a.max, b.max)};
    default:
      return {0, INT64_MAX};
  }
}

}  // namespace

Dim::Dim(int64_t value) : value_(value) {}

Dim Dim::of_atom(Atom atom) {
  auto poly = std::make_shared<Poly>();
  poly->terms[{atom.text}] = 1;
  poly->atoms.emplace(atom.text, std::move(atom));
  return Dim(std::shared_ptr<const Poly>(std::move(poly)));
}

Dim Dim::symbol(const std::string& name) { return of_atom({Atom::Kind::kSymbol, name, {}}); }

Dim Dim::unknown(const std::string& name) {
  return of_atom({Atom::Kind::kUnknown, "unknown(" + name + ")", {}});
}

Dim Dim::function(Atom::Kind kind, std::vector<Dim> args) {
  std::vector<int64_t> values;
  for (const Dim& arg : args) {
    if (arg.is_known()) {
      values.push_back(*arg.known());
    }
  }
  if (values.size() == args.size()) {
    if (const std::optional<int64_t> value = apply_function(kind, values)) {
      return Dim(*value);
    }
  }
  std::string text = std::string(function_name(kind)) + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    text += (i == 0 ? "" : ", ") + args[i].text();
  }
  return of_atom({kind, text + ")", std::move(args)});
}

std::optional<int64_t> Dim::known() const {
  return poly_ == nullptr ? std::optional<int64_t>(value_) : std::nullopt;
}

std::string Dim::text() const {
  if (poly_ == nullptr) {
    return std::to_string(value_);
  }
  std::string text;
  // The constant sorts first; write it last, as people do.
  std::vector<std::pair<Product, int64_t>> terms(poly_->terms.begin(), poly_->terms.end());
  std::stable_partition(terms.begin(), terms.end(), [](const auto& t) { return !t.first.empty(); });
  for (const auto& [product, coefficient] : terms) {
    const bool negative = coefficient < 0;
    const uint64_t magnitude =
        negative ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    std::string factors;
    if (magnitude != 1 || product.empty()) {
      factors = std::to_string(magnitude);
    }
    for (const std::string& atom : product) {
      factors += (factors.empty() ? "" : "*") + atom;
    }
    text += factors;
  }
  return text;
}

std::vector<std::string> Dim::symbols() const {
  std::set<std::string> names;
  if (poly_ != nullptr) {
    for (const auto& [text, atom] : poly_->atoms) {
      if (atom.kind == Atom::Kind::kSymbol) {
        names.insert(text);
      }
      for (const Dim& arg : atom.args) {
        for (std::string& name : arg.symbols()) {
          names.insert(std::move(name));
        }
      }
    }
  }
  return {names.begin(), names.end()};
}

std::optional<int64_t> Dim::evaluate(const std::map<std::string, int64_t>& symbols) const {
  if (poly_ == nullptr) {
    return value_;
  }
  std::map<std::string, int64_t> values;
  for (const auto& [text, atom] : poly_->atoms) {
    std::optional<int64_t> value;
    if (atom.kind == Atom::Kind::kSymbol) {
      const auto found = symbols.find(text);
      if (found != symbols.end()) {
        value = found->second;
      }
    } else {
      std::vector<int64_t> args;
      for (const Dim& arg : atom.args) {
        if (const std::optional<int64_t> v = arg.evaluate(symbols)) {
          args.push_back(*v);
        }
      }
      value = args.size() == atom.args.size() ? apply_function(atom.kind, args) : std::nullopt;
    }
    if (!value) {
      return std::nullopt;
    }
    values[text] = *value;
  }
  int64_t sum = 0;
  for (const auto& [product, coefficient] : poly_->terms) {
    int64_t term = coefficient;
    for (const std::string& atom : product) {
      if (__builtin_mul_overflow(term, values[atom], &term)) {
        return std::nullopt;
      }
    }
    if (__builtin_add_overflow(sum, term, &sum)) {
      return std::nullopt;
    }
  }
  return sum;
}

Range Dim::bounds(const Ranges& ranges) const {
  if (poly_ == nullptr) {
    return {value_, value_};
  }
  Range sum{0, 0};
  for (const auto& [product, coefficient] : poly_->terms) {
    Range term{coefficient, coefficient};
    for (const std::string& atom : product) {
      term = multiply(term, bounds_of(poly_->atoms.at(atom), ranges));
    }
    sum = {plus(sum.min, term.min), plus(sum.max, term.max)};
  }
  return sum;
}

Dim Dim::substitute(const std::map<std::string, Dim>& symbols) const {
  if (poly_ == nullptr) {
    return *this;
  }
  Dim sum(0);
  for (const auto& [product, coefficient] : poly_->terms) {
    Dim term(coefficient);
    for (const std::string& text : product) {
      const Atom& atom = poly_->atoms.at(text);
      if (atom.kind == Atom::Kind::kSymbol) {
        const auto found = symbols.find(text);
        term = term * (found == symbols.end() ? of_atom(atom) : found->second);
      } else if (atom.args.empty()) {
        term = term * of_atom(atom);
      } else {
        std::vector<Dim> args;
        for (const Dim& arg : atom.args) {
          args.push_back(arg.substitute(symbols));
        }
        term = term * function(atom.kind, std::move(args));
      }
    }
    sum = sum + term;
  }
  return sum;
}

std::optional<Dim::Linear> Dim::linear() const {
  if (poly_ == nullptr || poly_->atoms.size() != 1 ||
      poly_->atoms.begin()->second.kind != Atom::Kind::kSymbol) {
    return std::nullopt;
  }
  Linear result{poly_->atoms.begin()->first, 0, 0};
  for (const auto& [product, coefficient] : poly_->terms) {
    if (product.size() > 1) {
      return std::nullopt;
    }
    (product.empty() ? result.offset : result.scale) = coefficient;
  }
  return result;
}

std::vector<Dim::Term> Dim::terms() const {
  std::vector<Term> result;
  if (poly_ == nullptr) {
    if (value_ != 0) {
      result.push_back({value_, {}});
    }
    return result;
  }
  for (const auto& [product, coefficient] : poly_->terms) {
    Term term{coefficient, {}};
    for (const std::string& atom : product) {
      term.factors.push_back(poly_->atoms.at(atom));
    }
    result.push_back(std::move(term));
  }
  return result;
}

Dim operator+(const Dim& a, const Dim& b) {
  int64_t value = 0;
  if (a.poly_ == nullptr && b.poly_ == nullptr) {
    return __builtin_add_overflow(a.value_, b.value_, &value) ? Dim::unknown("overflow")
                                                              : Dim(value);
  }
  auto poly = std::make_shared<Dim::Poly>();
  for (const Dim* side : {&a, &b}) {
    if (side->poly_ == nullptr) {
      value = side->value_;
      int64_t& constant = poly->terms[{}];
      if (__builtin_add_overflow(constant, value, &constant)) {
        return Dim::unknown("overflow");
      }
      continue;
    }
    poly->atoms.insert(side->poly_->atoms.begin(), side->poly_->atoms.end());
    for (const auto& [product, coefficient] : side->poly_->terms) {
      int64_t& sum = poly->terms[product];
      if (__builtin_add_overflow(sum, coefficient, &sum)) {
        return Dim::unknown("overflow");
      }
    }
  }
  std::set<std::string> used;
  for (auto it = poly->terms.begin(); it != poly->terms.end();) {
    if (it->second == 0) {
      it = poly->terms.erase(it);
    } else {
      used.insert(it->first.begin(), it->first.end());
      ++it;
    }
  }
  if (used.empty()) {
    return poly->terms.empty() ? Dim(0) : Dim(poly->terms.begin()->second);
  }
  std::erase_if(poly->atoms, [&](const auto& item) { return !used.contains(item.first); });
  return Dim(std::shared_ptr<const Dim::Poly>(std::move(poly)));
}

Dim operator*(const Dim& a, const Dim& b) {
  int64_t value = 0;
  if (a.poly_ == nullptr && b.poly_ == nullptr) {
    return __builtin_mul_overflow(a.value_, b.value_, &value) ? Dim::unknown("overflow")
                                                              : Dim(value);
  }
  const Dim& left = a.poly_ == nullptr ? b : a;
  const Dim& right = a.poly_ == nullptr ? a : b;
  const std::map<Dim::Product, int64_t> constant = {{{}, right.value_}};
  const auto& right_terms = right.poly_ == nullptr ? constant : right.poly_->terms;
  if (right.poly_ == nullptr && right.value_ == 0) {
    return Dim(0);
  }
  auto poly = std::make_shared<Dim::Poly>();
  poly->atoms = left.poly_->atoms;
  if (right.poly_ != nullptr) {
    poly->atoms.insert(right.poly_->atoms.begin(), right.poly_->atoms.end());
  }
  for (const auto& [product_a, coefficient_a] : left.poly_->terms) {
    for (const auto& [product_b, coefficient_b] : right_terms) {
      Dim::Product product = product_a;
      product.insert(product.end(), product_b.begin(), product_b.end());
      std::sort(product.begin(), product.end());
      int64_t term = 0;
      int64_t& sum = poly->terms[product];
      if (__builtin_mul_overflow(coefficient_a, coefficient_b, &term) ||
          __builtin_add_overflow(sum, term, &sum)) {
        return Dim::unknown("overflow");
      }
    }
  }
  return Dim(std::shared_ptr<const Dim::Poly>(std::move(poly))) + Dim(0);  // + drops zero terms
}

Dim operator-(const Dim& a, const Dim& b) { return a + b * Dim(-1); }

bool operator==(const Dim& a, const Dim& b) {
  if (a.poly_ == nullptr || b.poly_ == nullptr) {
    return a.poly_ == b.poly_ && a.value_ == b.value_;
  }
  return a.poly_ == b.poly_ || a.poly_->terms == b.poly_->terms;
}

Dim floor_div(const Dim& a, const Dim& b) {
  if (b == Dim(1)) {
    return a;
  }
  if (const auto divisor = b.known(); divisor && *divisor != 0) {
    if (const auto linear = a.linear();
        linear && linear->scale % *divisor == 0 && linear->offset % *divisor == 0) {
      return Dim::symbol(linear->symbol) * Dim(linear->scale / *divisor) +
             Dim(linear->offset / *divisor);
    }
  }
  if (a == b) {
    return Dim(1);
  }
  return Dim::function(Atom::Kind::kFloorDiv, {a, b});
}

Dim mod(const Dim& a, const Dim& b) {
  if (const auto divisor = b.known(); divisor && *divisor != 0) {
    if (const auto linear = a.linear();
        linear && linear->scale % *divisor == 0 && linear->offset % *divisor == 0) {
      return Dim(0);
    }
  }
  return Dim::function(Atom::Kind::kMod, {a, b});
}

Dim max(const Dim& a, const Dim& b) { return a == b ? a : Dim::function(Atom::Kind::kMax, {a, b}); }
Dim min(const Dim& a, const Dim& b) { return a == b ? a : Dim::function(Atom::Kind::kMin, {a, b}); }

std::string sizes_text(const std::vector<Dim>& sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) {
    text += (i == 0 ? "" : ", ") + sizes[i].text();
  }
  return text + "]";
}

}  // namespace cresset::ir
