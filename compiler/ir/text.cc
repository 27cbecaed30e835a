// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/tensor.h"

namespace cresset::ir {

namespace {

struct ShortName {
  DType dtype;
  std::string_view name;
};
constexpr ShortName kShortNames[] = {
    {DType::kUInt8, "u8"},      {DType::kInt8, "i8"},           {DType::kInt16, "i16"},
    {DType::kInt32, "i32"},     {DType::kInt64, "i64"},         {DType::kFloat16, "f16"},
    {DType::kFloat32, "f32"},   {DType::kFloat64, "f64"},       {DType::kComplex32, "c32"},
    {DType::kComplex64, "c64"}, {DType::kComplex128, "c128"},   {DType::kBool, "bool"},
    {DType::kBFloat16, "bf16"}, {DType::kFloat8E5M2, "f8e5m2"}, {DType::kFloat8E4M3, "f8e4m3"},
    {DType::kUInt16, "u16"},    {DType::kUInt32, "u32"},        {DType::kUInt64, "u64"},
};

// Whether elements of the dtype have a spelling as a number.
bool has_number_text(DType dtype) { return is_integral(dtype) || is_floating(dtype); }

std::string with_point(std::string text) {
  return text.find_first_of(".eni") == std::string::npos ? text + ".0" : text;
}

template <class T>
T load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

std::string element_text(DType dtype, const uint8_t* bytes) {
  switch (dtype) {
    case DType::kBool:
      return *bytes != 0 ? "true" : "false";
    case DType::kUInt8:
      return fmt::format("{}", *bytes);
    case DType::kInt8:
      return fmt::format("{}", load<int8_t>(bytes));
    case DType::kInt16:
      return fmt::format("{}", load<int16_t>(bytes));
    case DType::kInt32:
      return fmt::format("{}", load<int32_t>(bytes));
    case DType::kInt64:
      return fmt::format("{}", load<int64_t>(bytes));
    case DType::kUInt16:
      return fmt::format("{}", load<uint16_t>(bytes));
    case DType::kUInt32:
      return fmt::format("{}", load<uint32_t>(bytes));
    case DType::kUInt64:
      return fmt::format("{}", load<uint64_t>(bytes));
    case DType::kFloat16:
      return with_point(fmt::format("{}", float{load<Half>(bytes)}));
    case DType::kBFloat16:
      return with_point(fmt::format("{}", float{load<BFloat16>(bytes)}));
    case DType::kFloat32:
      return with_point(fmt::format("{}", load<float>(bytes)));
    default:
      return number_text(load<double>(bytes));
  }
}

// Puts the number into *to; false where the text is no such number or out of range.
template <class T>
bool put(std::string_view text, uint8_t* to) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  std::memcpy(to, &value, sizeof(value));
  return error == std::errc() && at == end;
}

template <class T>
bool put_half(std::string_view text, uint8_t* to) {
  float value = 0;
  const bool good = put<float>(text, reinterpret_cast<uint8_t*>(&value));
  const T half(value);
  std::memcpy(to, &half, sizeof(half));
  return good;
}

bool put_element(DType dtype, std::string_view text, uint8_t* to) {
  switch (dtype) {
    case DType::kBool:
      *to = text == "true" || text == "1";
      return text == "true" || text == "false" || text == "0" || text == "1";
    case DType::kUInt8:
      return put<uint8_t>(text, to);
    case DType::kInt8:
      return put<int8_t>(text, to);
    case DType::kInt16:
      return put<int16_t>(text, to);
    case DType::kInt32:
      return put<int32_t>(text, to);
    case DType::kInt64:
      return put<int64_t>(text, to);
    case DType::kUInt16:
      return put<uint16_t>(text, to);
    case DType::kUInt32:
      return put<uint32_t>(text, to);
    case DType::kUInt64:
      return put<uint64_t>(text, to);
    case DType::kFloat16:
      return put_half<Half>(text, to);
    case DType::kBFloat16:
      return put_half<BFloat16>(text, to);
    case DType::kFloat32:
      return put<float>(text, to);
    case DType::kFloat64:
      return put<double>(text, to);
    default:
      return false;
  }
}

Expected<size_t> count_of(const TensorType& type) {
  size_t bytes = 0;
  std::vector<int32_t> sizes;
  for (const Dim& size : type.sizes) {
    const int64_t known = size.known().value_or(-1);
    sizes.push_back(known < 0 || known > INT32_MAX ? -1 : static_cast<int32_t>(known));
  }
  if (!tensor_bytes(type.dtype, sizes, &bytes)) {
    return bad_model("no constant can have the sizes " + sizes_text(type.sizes));
  }
  return bytes / dtype_bytes(type.dtype);
}

template <class Put>
Expected<ConstantPtr> make(std::string name, TensorType type, Put&& put_at) {
  Expected<size_t> count = count_of(type);
  if (!count.ok()) {
    return count.error();
  }
  const size_t item = dtype_bytes(type.dtype);
  std::vector<uint8_t> bytes(*count * item);
  for (size_t i = 0; i < *count; ++i) {
    if (!put_at(i, bytes.data() + i * item)) {
      return bad_model(
          fmt::format("element {} of constant '{}' is no {}", i, name, short_name(type.dtype)));
    }
  }
  return make_constant(std::move(name), std::move(type), bytes.data(), bytes.size());
}

}  // namespace

std::string_view short_name(DType dtype) {
  for (const ShortName& row : kShortNames) {
    if (row.dtype == dtype) {
      return row.name;
    }
  }
  return "unknown";
}

bool dtype_of_short_name(std::string_view name, DType* dtype) {
  for (const ShortName& row : kShortNames) {
    if (row.name == name) {
      *dtype = row.dtype;
      return true;
    }
  }
  return false;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string number_text(double value) { return with_point(fmt::format("{}", value)); }

uint64_t digest(const void* bytes, size_t size_bytes) {
  constexpr uint64_t kPrime = 0x100000001b3u;
  const uint8_t* at = static_cast<const uint8_t*>(bytes);
  uint64_t hash = 0xcbf29ce484222325u ^ size_bytes;
  for (; size_bytes >= 8; size_bytes -= 8, at += 8) {
    hash = (hash ^ load<uint64_t>(at)) * kPrime;
    hash ^= hash >> 29;
  }
  for (; size_bytes > 0; --size_bytes, ++at) {
    hash = (hash ^ *at) * kPrime;
  }
  return hash ^ hash >> 32;
}

std::string data_text(const Constant& constant, size_t most) {
  const DType dtype = constant.type.dtype;
  const size_t item = dtype_bytes(dtype);
  const size_t count = constant.size_bytes / item;
  if (has_number_text(dtype) && count <= most) {
    std::string text = "[";
    for (size_t i = 0; i < count; ++i) {
      text += (i == 0 ? "" : ", ") + element_text(dtype, constant.bytes + i * item);
    }
    return text + "]";
  }
  // Every element equals its predecessor.
  if (has_number_text(dtype) && count > 0 &&
      std::memcmp(constant.bytes, constant.bytes + item, constant.size_bytes - item) == 0) {
    return "fill(" + element_text(dtype, constant.bytes) + ")";
  }
  return fmt::format("digest({:016x})", digest(constant.bytes, constant.size_bytes));
}

Expected<ConstantPtr> constant_of(std::string name, TensorType type,
                                  const std::vector<std::string_view>& texts) {
  const DType dtype = type.dtype;
  Expected<size_t> count = count_of(type);
  if (!count.ok()) {
    return count.error();
  }
  if (*count != texts.size()) {
    return bad_model(fmt::format("constant '{}' has {} elements for sizes {}", name, texts.size(),
                                 sizes_text(type.sizes)));
  }
  return make(std::move(name), std::move(type),
              [&](size_t i, uint8_t* to) { return put_element(dtype, texts[i], to); });
}

Expected<ConstantPtr> constant_filled(std::string name, TensorType type, std::string_view number) {
  const DType dtype = type.dtype;
  return make(std::move(name), std::move(type),
              [&](size_t, uint8_t* to) { return put_element(dtype, number, to); });
}

Expected<ConstantPtr> constant_pattern(std::string name, TensorType type, uint64_t seed) {
  const DType dtype = type.dtype;
  const size_t item = dtype_bytes(dtype);
  std::vector<uint8_t> values(64 * item);
  for (size_t v = 0; v < 64; ++v) {
    uint8_t* to = values.data() + v * item;
    if (is_floating(dtype)) {
      put_element(dtype, number_text((static_cast<double>(v) - 32) / 16), to);
    } else if (has_number_text(dtype)) {
      put_element(dtype, std::to_string(dtype == DType::kBool ? v % 2 : v), to);
    } else {
      std::memset(to, static_cast<int>(v), item);
    }
  }
  return make(std::move(name), std::move(type), [&](size_t i, uint8_t* to) {
    std::memcpy(to, values.data() + (i * 37 + seed % 64 + i / 64 * 11) % 64 * item, item);
    return true;
  });
}

}  // namespace cresset::ir
