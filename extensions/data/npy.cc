// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/npy.h"

#include <fmt/ranges.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace cresset::data {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicBytes = 6;

struct Descr {
  std::string_view text;  // without the byte order
  DType dtype;
};
constexpr Descr kDescrs[] = {
    {"b1", DType::kBool},      {"u1", DType::kUInt8},       {"i1", DType::kInt8},
    {"i2", DType::kInt16},     {"i4", DType::kInt32},       {"i8", DType::kInt64},
    {"u2", DType::kUInt16},    {"u4", DType::kUInt32},      {"u8", DType::kUInt64},
    {"f2", DType::kFloat16},   {"f4", DType::kFloat32},     {"f8", DType::kFloat64},
    {"c8", DType::kComplex64}, {"c16", DType::kComplex128},
};

// The text after `'key':` in a Python dict literal, blanks skipped.
std::optional<std::string_view> after_key(std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  size_t at = header.find(quoted);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  at = header.find_first_not_of(" :", at + quoted.size());
  return at == std::string_view::npos ? std::nullopt : std::optional(header.substr(at));
}

std::optional<DType> parse_descr(std::string_view text) {
  const size_t end = text.empty() || text[0] != '\'' ? 0 : text.find('\'', 1);
  if (end < 3 || end == std::string_view::npos) {
    return std::nullopt;
  }
  const char order = text[1];
  const std::string_view name = text.substr(2, end - 2);
  for (const Descr& descr : kDescrs) {
    const bool one_byte = dtype_bytes(descr.dtype) == 1;
    if (descr.text == name && (order == '<' || order == '=' || (one_byte && order == '|'))) {
      return descr.dtype;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  const size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<int64_t> sizes;
  const char* at = text.data() + 1;
  const char* const stop = text.data() + end;
  while (at != stop) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    int64_t size = 0;
    const auto [next, code] = std::from_chars(at, stop, size);
    if (code != std::errc()) {
      return std::nullopt;
    }
    sizes.push_back(size);
    at = next != stop && *next == 'L' ? next + 1 : next;
  }
  return sizes;
}

}  // namespace

Expected<HostTensor> parse_npy(Span<const uint8_t> bytes) {
  if (bytes.size() < 12 || std::memcmp(bytes.data(), kMagic, kMagicBytes) != 0) {
    return invalid("not an .npy file");
  }
  const int version = bytes[6];
  if (version < 1 || version > 3) {
    return invalid(fmt::format("version {} of the .npy format is unknown", version));
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  size_t header_bytes = 0;
  for (size_t i = length_bytes; i-- > 0;) {
    header_bytes = header_bytes << 8 | bytes[8 + i];
  }
  const size_t data_at = 8 + length_bytes + header_bytes;
  if (header_bytes > bytes.size() || data_at > bytes.size()) {
    return invalid("the header is longer than the file");
  }
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + 8 + length_bytes,
                                header_bytes);
  const auto descr = after_key(header, "descr");
  const auto order = after_key(header, "fortran_order");
  const auto shape = after_key(header, "shape");
  if (!descr || !order || !shape) {
    return invalid("the header lacks descr, fortran_order or shape");
  }
  const std::optional<DType> dtype = parse_descr(*descr);
  if (!dtype) {
    return invalid(fmt::format("elements of type {} are not supported",
                               descr->substr(0, std::min<size_t>(descr->find(','), 20))));
  }
  const auto sizes = parse_shape(*shape);
  if (!sizes) {
    return invalid("the shape is malformed");
  }
  std::vector<uint8_t> dim_order;
  if (order->substr(0, 4) == "True") {
    for (size_t i = std::min(sizes->size(), kMaxRank); i-- > 0;) {
      dim_order.push_back(static_cast<uint8_t>(i));
    }
  }
  // A shape that the file does not justify must not cost memory.
  uint64_t need = dtype_bytes(*dtype);
  for (const int64_t size : *sizes) {
    if (size < 0 || __builtin_mul_overflow(need, static_cast<uint64_t>(size), &need)) {
      return invalid("the shape is out of range");
    }
  }
  if (need != bytes.size() - data_at) {
    return invalid(fmt::format("shape [{}] needs {} bytes, the file has {}",
                               fmt::join(*sizes, ", "), need, bytes.size() - data_at));
  }
  Expected<HostTensor> tensor = HostTensor::make(*dtype, *sizes, std::move(dim_order));
  if (!tensor.ok() || need == 0) {
    return tensor;
  }
  // The bytes of a Fortran-ordered array lie as its dim order says.
  std::memcpy(tensor->mutable_bytes().data(), bytes.data() + data_at, need);
  if (*dtype == DType::kBool) {
    for (uint8_t& byte : tensor->mutable_bytes()) {
      byte = byte != 0;
    }
  }
  return tensor;
}

Expected<HostTensor> read_npy(const std::string& path) {
  Expected<FileBytes> file = FileBytes::open(path);
  if (!file.ok()) {
    return file.error();
  }
  Expected<HostTensor> tensor = parse_npy(file->bytes());
  return tensor.ok() ? std::move(tensor) : invalid(path + ": " + tensor.error().text);
}

Expected<std::string> to_npy(const HostTensor& tensor) {
  const Descr* known = nullptr;
  for (const Descr& descr : kDescrs) {
    known = descr.dtype == tensor.dtype() ? &descr : known;
  }
  if (known == nullptr) {
    return invalid(fmt::format(".npy files have no dtype {}", dtype_text(tensor.dtype())));
  }
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   dtype_bytes(tensor.dtype()) == 1 ? '|' : '<', known->text,
                                   fmt::join(tensor.sizes(), ", "), tensor.rank() == 1 ? "," : "");
  // The data starts at a multiple of 64.
  header.append(64 - (header.size() + kMagicBytes + 4 + 1) % 64, ' ');
  header += '\n';
  std::string result(kMagic, kMagicBytes);
  result += std::string("\x01\x00", 2);
  result += static_cast<char>(header.size() & 0xff);
  result += static_cast<char>(header.size() >> 8);
  result += header;
  const size_t at = result.size();
  result.resize(at + tensor.size_bytes());
  tensor.copy_row_major(
      Span<uint8_t>(reinterpret_cast<uint8_t*>(result.data()) + at, tensor.size_bytes()));
  return result;
}

}  // namespace cresset::data
