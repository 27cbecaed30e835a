// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/host_value.h"

#include <fmt/ranges.h>

#include <cstring>

namespace cresset::data {
namespace {

// All digits that tell the number from its neighbours, or as many as a person wants to read.
enum class Digits { kAll, kFew };

template <class T>
std::string number_text(const T& value, Digits digits) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return number_text(static_cast<float>(value), digits);
  } else if constexpr (std::is_floating_point_v<T>) {
    return digits == Digits::kAll ? fmt::format("{}", value) : fmt::format("{:.6g}", value);
  } else if constexpr (std::is_integral_v<T>) {
    return fmt::format(
        "{}", static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value));
  } else if constexpr (std::is_same_v<T, Opaque8>) {
    return fmt::format("0x{:02x}", value.bits);
  } else {
    const std::string imaginary = number_text(value.im, digits);
    return number_text(value.re, digits) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
  }
}

std::string element_text(DType dtype, Span<const uint8_t> row_major, int64_t index, Digits digits) {
  switch (dtype) {
#define DTYPE(name, text, type, number, bytes, category)                                   \
  case DType::name: {                                                                      \
    CType<DType::name> element;                                                            \
    std::memcpy(&element, row_major.data() + static_cast<size_t>(index) * (bytes), bytes); \
    return number_text(element, digits);                                                   \
  }
#include "core/dtype.def"
#undef DTYPE
  }
  return "?";
}

std::string tensor_text(const HostTensor& tensor, size_t max_elements) {
  std::vector<uint8_t> bytes(tensor.size_bytes());
  tensor.copy_row_major(bytes);
  const size_t count = static_cast<size_t>(tensor.numel());
  const size_t tail = count > max_elements ? max_elements / 4 : 0;
  const size_t head = count > max_elements ? max_elements - tail : count;
  std::string text = describe(tensor) + "  [";
  for (size_t i = 0; i < head; ++i) {
    text += (i == 0 ? "" : ", ") +
            element_text(tensor.dtype(), bytes, static_cast<int64_t>(i), Digits::kFew);
  }
  if (head < count) {
    text += ", ...";
  }
  for (size_t i = count - tail; i < count && tail > 0; ++i) {
    text += ", " + element_text(tensor.dtype(), bytes, static_cast<int64_t>(i), Digits::kFew);
  }
  return text + "]";
}

struct Describe {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool) const { return "bool"; }
  std::string operator()(int64_t) const { return "int"; }
  std::string operator()(double) const { return "float"; }
  std::string operator()(const Complex<double>&) const { return "complex"; }
  std::string operator()(const std::string&) const { return "string"; }
  std::string operator()(DType) const { return "dtype"; }
  std::string operator()(const MemoryFormatName&) const { return "memory format"; }
  std::string operator()(const HostValue::List& list) const {
    return fmt::format("list of {}", list.size());
  }
  std::string operator()(const HostTensor& tensor) const { return describe(tensor); }
};

struct Print {
  size_t max_elements;

  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool v) const { return number_text(v, Digits::kAll); }
  std::string operator()(int64_t v) const { return number_text(v, Digits::kAll); }
  std::string operator()(double v) const { return number_text(v, Digits::kAll); }
  std::string operator()(const Complex<double>& v) const { return number_text(v, Digits::kAll); }
  std::string operator()(const std::string& v) const { return '"' + v + '"'; }
  std::string operator()(DType v) const { return dtype_text(v); }
  std::string operator()(const MemoryFormatName& v) const { return v.name; }
  std::string operator()(const HostValue::List& list) const {
    std::string text = "[";
    for (const HostValue& item : list) {
      text += (text.size() == 1 ? "" : ", ") + to_text(item, max_elements);
    }
    return text + "]";
  }
  std::string operator()(const HostTensor& tensor) const {
    return tensor_text(tensor, max_elements);
  }
};

}  // namespace

std::string describe(const HostValue& value) { return std::visit(Describe{}, value.value); }

std::string element_text(DType dtype, Span<const uint8_t> row_major, int64_t index) {
  return element_text(dtype, row_major, index, Digits::kAll);
}

std::string to_text(const HostValue& value, size_t max_elements) {
  return std::visit(Print{max_elements}, value.value);
}

}  // namespace cresset::data
