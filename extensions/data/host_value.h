// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/dtype.h"
#include "core/half.h"
#include "extensions/data/host_tensor.h"

namespace cresset::data {

// PyTorch's name without "torch.", for instance "channels_last".
struct MemoryFormatName {
  std::string name;
};

// Anything that a program or an operator takes or gives, on the host: it owns what it holds.
struct HostValue {
  using List = std::vector<HostValue>;
  using Variant = std::variant<std::monostate, bool, int64_t, double, Complex<double>, std::string,
                               DType, MemoryFormatName, List, HostTensor>;

  Variant value;  // monostate is None

  template <class T>
  bool is() const {
    return std::holds_alternative<T>(value);
  }
  bool is_none() const { return is<std::monostate>(); }
  // Null unless the value is a T.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&value);
  }
  template <class T>
  T* get() {
    return std::get_if<T>(&value);
  }
};

// "float32 [2, 3]", "int", "list of 2", ...: the kind, without the contents of tensors and lists.
std::string describe(const HostValue& value);

// The element at `index` of the row-major order, as text: shortest form that reads back the same.
// `row_major` holds elements of `dtype`; not aligned.
std::string element_text(DType dtype, Span<const uint8_t> row_major, int64_t index);

// The value in a form a person reads: numbers as they are, of a tensor dtype, shape and its
// elements in brackets, at most `max_elements` (the first and the last of them) of a longer one.
std::string to_text(const HostValue& value, size_t max_elements);

}  // namespace cresset::data
