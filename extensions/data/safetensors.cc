// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/safetensors.h"

#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace cresset::data {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr size_t kMaxHeaderBytes = 100 << 20;

struct DTypeName {
  const char* text;
  DType dtype;
};
constexpr DTypeName kDTypeNames[] = {
    {"BOOL", DType::kBool},          {"U8", DType::kUInt8},      {"I8", DType::kInt8},
    {"I16", DType::kInt16},          {"I32", DType::kInt32},     {"I64", DType::kInt64},
    {"U16", DType::kUInt16},         {"U32", DType::kUInt32},    {"U64", DType::kUInt64},
    {"F16", DType::kFloat16},        {"BF16", DType::kBFloat16}, {"F32", DType::kFloat32},
    {"F64", DType::kFloat64},        {"C64", DType::kComplex64}, {"F8_E5M2", DType::kFloat8E5M2},
    {"F8_E4M3", DType::kFloat8E4M3},
};

const DTypeName* find_dtype(std::string_view text) {
  for (const DTypeName& name : kDTypeNames) {
    if (name.text == text) {
      return &name;
    }
  }
  return nullptr;
}

const char* dtype_name(DType dtype) {
  for (const DTypeName& name : kDTypeNames) {
    if (name.dtype == dtype) {
      return name.text;
    }
  }
  return nullptr;
}

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Reads one tensor's description; `range` is relative to the data. Returns what is wrong, or null.
const char* read_entry(const element& value, Safetensors::Entry* entry, Range* range) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) {
    return "is not described by an object";
  }
  std::string_view dtype;
  if (fields["dtype"].get(dtype) != simdjson::SUCCESS) {
    return "has no dtype";
  }
  const DTypeName* const known = find_dtype(dtype);
  if (known == nullptr) {
    return "has an unknown dtype";
  }
  entry->dtype = known->dtype;
  array shape;
  if (fields["shape"].get(shape) != simdjson::SUCCESS) {
    return "has no shape";
  }
  uint64_t count = 1;
  for (const element dim : shape) {
    int64_t size;
    if (dim.get(size) != simdjson::SUCCESS || size < 0) {
      return "has a size that is not a natural number";
    }
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) {
      return "has more elements than fit in memory";
    }
    entry->sizes.push_back(size);
  }
  array offsets;
  if (fields["data_offsets"].get(offsets) != simdjson::SUCCESS || offsets.size() != 2 ||
      offsets.at(0).get(range->begin) != simdjson::SUCCESS ||
      offsets.at(1).get(range->end) != simdjson::SUCCESS) {
    return "has no data_offsets";
  }
  uint64_t bytes;
  if (range->begin > range->end ||
      __builtin_mul_overflow(count, uint64_t{dtype_bytes(entry->dtype)}, &bytes) ||
      range->end - range->begin != bytes) {
    return "has data_offsets that do not fit its shape";
  }
  return nullptr;
}

std::string escape_json(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

Expected<Safetensors> Safetensors::open(const std::string& path) {
  Expected<FileBytes> file = FileBytes::open(path);
  if (!file.ok()) {
    return file.error();
  }
  return parse(*std::move(file), path);
}

Expected<Safetensors> Safetensors::parse(FileBytes file, std::string name) {
  Safetensors result;
  result.file_ = std::move(file);
  result.name_ = std::move(name);
  const Span<const uint8_t> bytes = result.file_.bytes();
  if (bytes.size() < 8) {
    return invalid(result.name_ + ": not a safetensors file: shorter than its header's length");
  }
  uint64_t header_bytes = 0;
  for (size_t i = 8; i-- > 0;) {
    header_bytes = header_bytes << 8 | bytes[i];
  }
  if (header_bytes > bytes.size() - 8 || header_bytes > kMaxHeaderBytes) {
    return invalid(fmt::format("{}: not a safetensors file: header of {} bytes, file of {}",
                               result.name_, header_bytes, bytes.size()));
  }
  const std::string_view json(reinterpret_cast<const char*>(bytes.data()) + 8, header_bytes);
  Error error = result.read_header(json, bytes.subspan(8 + header_bytes));
  if (!error.ok()) {
    error.text = result.name_ + ": " + error.text;
    return error;
  }
  return result;
}

Error Safetensors::read_header(std::string_view json, Span<const uint8_t> data) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(json);
  object root;
  if (const auto code = parser.parse(padded).get(root); code != simdjson::SUCCESS) {
    return invalid(fmt::format("the safetensors header is not a JSON object: {}",
                               simdjson::error_message(code)));
  }
  std::vector<std::pair<Range, Entry>> found;
  std::set<std::string_view> keys;
  for (const auto field : root) {
    if (!keys.insert(field.key).second) {
      return invalid(fmt::format("key '{}' comes twice", field.key));
    }
    if (field.key == "__metadata__") {
      object pairs;
      if (field.value.get(pairs) != simdjson::SUCCESS) {
        return invalid("__metadata__ is not an object");
      }
      for (const auto pair : pairs) {
        std::string_view text;
        if (pair.value.get(text) != simdjson::SUCCESS ||
            !metadata_.emplace(pair.key, text).second) {
          return invalid(fmt::format("__metadata__ '{}' is no string or comes twice", pair.key));
        }
      }
      continue;
    }
    auto& [range, entry] = found.emplace_back();
    entry.key = field.key;
    if (const char* const fault = read_entry(field.value, &entry, &range); fault != nullptr) {
      return invalid(fmt::format("tensor '{}' {}", entry.key, fault));
    }
  }
  // A tensor without elements lies before the one that starts at the same offset.
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.begin, a.first.end) < std::tie(b.first.begin, b.first.end);
  });
  uint64_t at = 0;
  for (auto& [range, entry] : found) {
    if (range.begin != at) {
      return invalid(fmt::format("tensor '{}' starts at byte {} of the data, expected {}: {}",
                                 entry.key, range.begin, at,
                                 range.begin < at ? "tensors overlap" : "bytes lie unused"));
    }
    if (range.end > data.size()) {
      return invalid(fmt::format("tensor '{}' ends at byte {}, the data has {}: truncated?",
                                 entry.key, range.end, data.size()));
    }
    at = range.end;
    entry.bytes = data.subspan(range.begin, range.end - range.begin);
    index_.emplace(entry.key, entries_.size());
    entries_.push_back(std::move(entry));
  }
  if (at != data.size()) {
    return invalid(fmt::format("{} bytes after the last tensor", data.size() - at));
  }
  return Error();
}

const Safetensors::Entry* Safetensors::find(std::string_view key) const {
  const auto found = index_.find(std::string(key));
  return found == index_.end() ? nullptr : &entries_[found->second];
}

Expected<HostTensor> Safetensors::copy(const Entry& entry) {
  Expected<HostTensor> tensor = HostTensor::make(entry.dtype, entry.sizes);
  if (tensor.ok()) {
    tensor->assign_row_major(entry.bytes);
  }
  return tensor;
}

Expected<std::string> to_safetensors(Span<const NamedTensor> tensors,
                                     const std::map<std::string, std::string>& metadata) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      header += escape_json(key) + ':' + escape_json(value) + ',';
    }
    header.back() = '}';
    header += ',';
  }
  std::string bytes;
  std::set<std::string_view> keys = {"__metadata__"};
  for (const NamedTensor& named : tensors) {
    const HostTensor& tensor = named.tensor;
    const char* const dtype = dtype_name(tensor.dtype());
    if (dtype == nullptr) {
      return invalid(fmt::format("'{}': safetensors files have no dtype {}", named.key,
                                 dtype_text(tensor.dtype())));
    }
    if (!keys.insert(named.key).second) {
      return invalid(fmt::format("key '{}' comes twice", named.key));
    }
    const size_t begin = bytes.size();
    bytes.resize(begin + tensor.size_bytes());
    tensor.copy_row_major(
        Span<uint8_t>(reinterpret_cast<uint8_t*>(bytes.data()) + begin, tensor.size_bytes()));
    header += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}},",
                          escape_json(named.key), dtype, fmt::join(tensor.sizes(), ","), begin,
                          bytes.size());
  }
  if (header.back() == ',') {
    header.pop_back();
  }
  header += '}';
  // Spaces align the data.
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string result;
  for (size_t i = 0; i < 8; ++i) {
    result += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return result + header + bytes;
}

}  // namespace cresset::data
