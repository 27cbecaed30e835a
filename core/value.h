// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/scalar.h"
#include "core/span.h"
#include "core/tensor.h"

namespace cresset {

class Value;

// A list of integers of which some may be computed while the program runs: `items` are the values
// they come from, `ints` is room for as many integers, filled by ints(). Where `items` is null the
// integers are fixed.
struct IntList {
  int64_t* ints = nullptr;
  Value* const* items = nullptr;
  uint32_t size = 0;
};

// Anything an instruction can take or give: the program's registers. Owns nothing; what it points
// to lives in the method's memory. Trivially copyable: MoveCall copies it.
class Value {
 public:
  enum class Kind : uint8_t {
    kNone,
    kInt,
    kDouble,
    kBool,
    kString,
    kTensor,
    kIntList,
    kDoubleList,
    kBoolList,
    kTensorList,  // items may be null: an optional tensor that is absent
  };

  Value() : kind_(Kind::kNone), int_(0) {}
  static Value of_int(int64_t v) {
    return make(Kind::kInt, [&](Value& x) { x.int_ = v; });
  }
  static Value of_double(double v) {
    return make(Kind::kDouble, [&](Value& x) { x.double_ = v; });
  }
  static Value of_bool(bool v) {
    return make(Kind::kBool, [&](Value& x) { x.int_ = v; });
  }
  static Value of_scalar(Scalar v) {
    return v.is_double()                     ? of_double(v.to_double())
           : v.kind() == Scalar::Kind::kBool ? of_bool(v.to_bool())
                                             : of_int(v.to_int());
  }
  // Zero-terminated text.
  static Value of_string(const char* v) {
    return make(Kind::kString, [&](Value& x) { x.string_ = v; });
  }
  static Value of_tensor(Tensor* v) {
    return make(Kind::kTensor, [&](Value& x) { x.tensor_ = v; });
  }
  static Value of_int_list(IntList* v) {
    return make(Kind::kIntList, [&](Value& x) { x.int_list_ = v; });
  }
  static Value of_double_list(Span<const double> v) {
    return make(Kind::kDoubleList, [&](Value& x) { x.doubles_ = v.data(), x.size_ = v.size(); });
  }
  static Value of_bool_list(Span<const bool> v) {
    return make(Kind::kBoolList, [&](Value& x) { x.bools_ = v.data(), x.size_ = v.size(); });
  }
  static Value of_tensor_list(Span<Tensor* const> v) {
    return make(Kind::kTensorList, [&](Value& x) { x.tensors_ = v.data(), x.size_ = v.size(); });
  }

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::kNone; }
  bool is_tensor() const { return kind_ == Kind::kTensor; }
  bool is_number() const { return kind_ >= Kind::kInt && kind_ <= Kind::kBool; }

  // Each is meaningful for its kind only: whoever reads a value from a program checks the kind
  // first.
  int64_t as_int() const { return int_; }
  double as_double() const { return double_; }
  bool as_bool() const { return int_ != 0; }
  Scalar as_scalar() const {
    return kind_ == Kind::kDouble ? Scalar::of_double(double_)
           : kind_ == Kind::kBool ? Scalar::of_bool(int_ != 0)
                                  : Scalar::of_int(int_);
  }
  const char* as_string() const { return string_; }
  Tensor* as_tensor() const { return tensor_; }
  // Refreshes the integers from the values that they come from.
  Span<const int64_t> as_ints() const;
  const IntList* int_list() const { return int_list_; }
  Span<const double> as_doubles() const { return {doubles_, size_}; }
  Span<const bool> as_bools() const { return {bools_, size_}; }
  Span<Tensor* const> as_tensors() const { return {tensors_, size_}; }

 private:
  template <class F>
  static Value make(Kind kind, F&& fill) {
    Value value;
    value.kind_ = kind;
    fill(value);
    return value;
  }

  Kind kind_;
  size_t size_ = 0;
  union {
    int64_t int_;
    double double_;
    const char* string_;
    Tensor* tensor_;
    IntList* int_list_;
    const double* doubles_;
    const bool* bools_;
    Tensor* const* tensors_;
  };
};

// The kind's name as messages write it, for instance "int list".
const char* kind_text(Value::Kind kind);

}  // namespace cresset
