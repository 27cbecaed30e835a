// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cresset::ir {

class Dim;

// A part of a Dim that is not further taken apart: a symbol such as s77, or a function of Dims.
struct Atom {
  enum class Kind : uint8_t { kSymbol, kFloorDiv, kMod, kMax, kMin, kUnknown };
  Kind kind = Kind::kSymbol;
  std::string text;       // identity: the symbol's name, or for instance "floordiv(s0 + 1, 2)"
  std::vector<Dim> args;  // of a function
};

// The closed range of a symbol.
struct Range {
  int64_t min = 0;
  int64_t max = INT64_MAX;  // INT64_MAX: unbounded
};
using Ranges = std::map<std::string, Range>;

// A size, known or symbolic: an integer polynomial over atoms, kept in normal form so that equal
// polynomials compare equal. Immutable value. Arithmetic that leaves int64 gives an unknown atom.
class Dim {
 public:
  Dim() : Dim(0) {}
  Dim(int64_t value);  // NOLINT(runtime/explicit)
  static Dim symbol(const std::string& name);
  static Dim function(Atom::Kind kind, std::vector<Dim> args);
  // A value nothing is known about, for instance the number of nonzero elements; `name` makes it
  // identifiable.
  static Dim unknown(const std::string& name);

  // The value, where it is one number.
  std::optional<int64_t> known() const;
  bool is_known() const { return known().has_value(); }
  // "2*s0 + 1"; parse_dim (compiler/ir/parse.h) reads it back.
  std::string text() const;
  // Every symbol that occurs, functions' arguments included.
  std::vector<std::string> symbols() const;
  // The value for given symbols; empty where one is missing, or on overflow or division by zero.
  std::optional<int64_t> evaluate(const std::map<std::string, int64_t>& symbols) const;
  // Bounds that hold for all values of the symbols within their ranges; INT64_MAX where unbounded.
  Range bounds(const Ranges& ranges) const;
  // The Dim with symbols replaced.
  Dim substitute(const std::map<std::string, Dim>& symbols) const;
  // Where this is a*s + b with a single symbol: its name, a and b.
  struct Linear {
    std::string symbol;
    int64_t scale;
    int64_t offset;
  };
  std::optional<Linear> linear() const;
  // The polynomial taken apart: the Dim is the sum over terms of coefficient * product of factors;
  // no factors: the constant. Empty for 0.
  struct Term {
    int64_t coefficient;
    std::vector<Atom> factors;
  };
  std::vector<Term> terms() const;

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  friend bool operator==(const Dim& a, const Dim& b);

 private:
  // Sorted atom texts (with repetition for powers) -> coefficient; the empty product is the
  // constant.
  using Product = std::vector<std::string>;
  struct Poly {
    std::map<Product, int64_t> terms;  // no zero coefficients
    std::map<std::string, Atom> atoms;
  };
  explicit Dim(std::shared_ptr<const Poly> poly) : poly_(std::move(poly)) {}
  static Dim of_atom(Atom atom);

  int64_t value_ = 0;                 // where poly_ is null
  std::shared_ptr<const Poly> poly_;  // at least one atom
};

// Division rounding toward minus infinity, by a positive number or an expression.
Dim floor_div(const Dim& a, const Dim& b);
Dim mod(const Dim& a, const Dim& b);
Dim max(const Dim& a, const Dim& b);
Dim min(const Dim& a, const Dim& b);

// Sizes as messages write them: "[s0, 3]".
std::string sizes_text(const std::vector<Dim>& sizes);

}  // namespace cresset::ir
