// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/input.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "extensions/data/npy.h"
#include "extensions/data/safetensors.h"
#include "extensions/data/wav.h"

namespace cresset::data {
namespace {

using Number = std::variant<bool, int64_t, double>;

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string lower(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

std::optional<Number> parse_number(std::string_view text) {
  const std::string word = lower(std::string(text));
  if (word == "true" || word == "false") {
    return word == "true";
  }
  if (starts_with(text, "+")) {
    text.remove_prefix(1);
  }
  const char* const end = text.data() + text.size();
  int64_t integer = 0;
  if (const auto [at, code] = std::from_chars(text.data(), end, integer);
      code == std::errc() && at == end) {
    return integer;
  }
  double real = 0;
  if (const auto [at, code] = std::from_chars(text.data(), end, real);
      code == std::errc() && at == end) {
    return real;
  }
  return std::nullopt;
}

double to_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

bool is_real(DType dtype) { return is_floating(dtype) || is_integral(dtype); }

void set_element(HostTensor& tensor, int64_t index, const Number& number) {
  switch (tensor.dtype()) {
#define DTYPE(name, text, type, dtype_number, bytes, category)                              \
  case DType::name:                                                                         \
    if constexpr (DTypeCategory::category == DTypeCategory::kFloating) {                    \
      tensor.mutable_data<type>()[index] = static_cast<type>(                               \
          static_cast<std::conditional_t<(bytes) == 8, double, float>>(to_double(number))); \
    } else if constexpr (DTypeCategory::category == DTypeCategory::kBool) {                 \
      tensor.mutable_data<bool>()[index] = to_double(number) != 0;                          \
    } else if constexpr (DTypeCategory::category == DTypeCategory::kUnsigned ||             \
                         DTypeCategory::category == DTypeCategory::kSigned) {               \
      const auto* integer = std::get_if<int64_t>(&number);                                  \
      tensor.mutable_data<type>()[index] = static_cast<type>(                               \
          integer != nullptr ? *integer : static_cast<int64_t>(to_double(number)));         \
    }                                                                                       \
    break;
#include "core/dtype.def"
#undef DTYPE
  }
}

// A bracketed literal: its numbers in row-major order and the sizes that the nesting shows.
class ListParser {
 public:
  explicit ListParser(std::string_view text) : text_(text) {}

  // False where the text is malformed or the lists of one level differ in length.
  bool parse() { return list(0) && at_ == text_.size(); }

  const std::vector<Number>& numbers() const { return numbers_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  bool take(char c) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  bool list(size_t depth) {
    if (depth >= kMaxRank || !take('[')) {
      return false;
    }
    const bool first = sizes_.size() <= depth;
    if (first) {
      sizes_.push_back(0);
    }
    int64_t count = 0;
    bool nested = false;
    while (!take(']')) {
      if (count > 0 && !take(',')) {
        return false;
      }
      skip_blanks();
      const bool is_list = at_ < text_.size() && text_[at_] == '[';
      if (count > 0 && is_list != nested) {
        return false;
      }
      nested = is_list;
      if (is_list ? !list(depth + 1) : !number()) {
        return false;
      }
      ++count;
    }
    skip_blanks();
    if (!nested && sizes_.size() > depth + 1) {
      return false;
    }
    if (first) {
      sizes_[depth] = count;
    }
    return sizes_[depth] == count;
  }

  bool number() {
    const size_t end = std::min(text_.find_first_of(",] ", at_), text_.size());
    const std::optional<Number> value = parse_number(text_.substr(at_, end - at_));
    if (!value) {
      return false;
    }
    numbers_.push_back(*value);
    at_ = end;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Number> numbers_;
  std::vector<int64_t> sizes_;
};

Expected<HostValue> parse_list(const std::string& text, const InputSpec& spec) {
  const size_t close = text.rfind(']');
  const std::string suffix = close == std::string::npos ? "" : text.substr(close + 1);
  std::optional<DType> dtype;
  if (!suffix.empty()) {
    DType named;
    if (suffix[0] != ':' || !dtype_from_text(suffix.data() + 1, suffix.size() - 1, &named) ||
        !is_real(named)) {
      return invalid(
          fmt::format("'{}': '{}' is no dtype for a literal (write [1, 2]:int64)", text, suffix));
    }
    dtype = named;
  }
  ListParser parser(std::string_view(text).substr(0, close + 1));
  if (close == std::string::npos || !parser.parse()) {
    return invalid(fmt::format("'{}' is not a list of numbers of one shape", text));
  }
  if (!dtype && spec.kind == Value::Kind::kTensor && is_real(spec.dtype)) {
    dtype = spec.dtype;
  }
  if (!dtype) {
    const bool floats =
        std::any_of(parser.numbers().begin(), parser.numbers().end(),
                    [](const Number& n) { return std::holds_alternative<double>(n); });
    dtype = floats ? DType::kFloat32 : DType::kInt64;
  }
  std::vector<uint8_t> order;
  if (spec.kind == Value::Kind::kTensor && spec.dim_order.size() == parser.sizes().size()) {
    order = spec.dim_order;
  }
  Expected<HostTensor> tensor = HostTensor::make(*dtype, parser.sizes());
  if (!tensor.ok()) {
    return invalid(fmt::format("'{}': {}", text, tensor.error().text));
  }
  for (size_t i = 0; i < parser.numbers().size(); ++i) {
    set_element(*tensor, static_cast<int64_t>(i), parser.numbers()[i]);
  }
  return HostValue{order.empty() ? *std::move(tensor) : tensor->reordered(order)};
}

// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

Expected<HostValue> fill(const std::string& text, const InputSpec& spec) {
  if (spec.kind != Value::Kind::kTensor) {
    return invalid(
        fmt::format("'{}' is for tensors, the input is a {}", text, kind_text(spec.kind)));
  }
  HostTensor tensor(spec.dtype, spec.sizes);
  if (text != "zeros") {
    uint64_t seed = 0;
    const std::string_view digits = std::string_view(text).substr(std::min<size_t>(text.size(), 7));
    const auto [at, code] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (text != "random" && (code != std::errc() || at != digits.data() + digits.size())) {
      return invalid(fmt::format("'{}': the seed is a natural number, as in random:7", text));
    }
    if (!is_real(spec.dtype)) {
      return invalid(fmt::format("'{}' is not for {}", text, dtype_text(spec.dtype)));
    }
    Random random(seed);
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      const uint64_t bits = random.next();
      if (is_floating(spec.dtype)) {
        set_element(tensor, i, static_cast<double>(bits >> 40) * 0x1p-24);
      } else {
        set_element(tensor, i,
                    static_cast<int64_t>(spec.dtype == DType::kBool ? bits >> 63 : bits % 10));
      }
    }
  }
  return HostValue{spec.dim_order == tensor.dim_order() || spec.dim_order.empty()
                       ? std::move(tensor)
                       : tensor.reordered(spec.dim_order)};
}

Expected<HostValue> of_number(const Number& number, const InputSpec& spec) {
  switch (spec.kind) {
    case Value::Kind::kTensor: {
      if (!is_real(spec.dtype)) {
        return invalid(fmt::format("a number cannot fill {}", dtype_text(spec.dtype)));
      }
      HostTensor tensor(spec.dtype, spec.sizes, spec.dim_order);
      for (int64_t i = 0; i < tensor.numel(); ++i) {
        set_element(tensor, i, number);
      }
      return HostValue{std::move(tensor)};
    }
    case Value::Kind::kDouble:
      return HostValue{to_double(number)};
    case Value::Kind::kInt:
      if (const auto* integer = std::get_if<int64_t>(&number)) {
        return HostValue{*integer};
      }
      break;
    case Value::Kind::kBool:
      if (const auto* flag = std::get_if<bool>(&number)) {
        return HostValue{*flag};
      }
      break;
    default:
      break;
  }
  return invalid(fmt::format("the input is a {}", kind_text(spec.kind)));
}

// A tensor of one element as the number that the input is.
Expected<HostValue> fit_kind(HostTensor tensor, const InputSpec& spec) {
  const bool number = spec.kind == Value::Kind::kInt || spec.kind == Value::Kind::kDouble ||
                      spec.kind == Value::Kind::kBool;
  if (!number) {
    return HostValue{std::move(tensor)};
  }
  if (tensor.numel() != 1 || !is_real(tensor.dtype())) {
    return invalid(fmt::format("{} is no {}", describe(tensor), kind_text(spec.kind)));
  }
  switch (spec.kind) {
    case Value::Kind::kInt:
      return HostValue{*tensor.converted(DType::kInt64).data<int64_t>()};
    case Value::Kind::kBool:
      return HostValue{*tensor.converted(DType::kBool).data<bool>()};
    default:
      return HostValue{*tensor.converted(DType::kFloat64).data<double>()};
  }
}

Error unknown_key(const std::string& path, const std::string& key,
                  const std::vector<std::string>& keys) {
  return invalid(fmt::format(
      "{} has {}: {}; write {}:KEY", path,
      key.empty() ? fmt::format("{} tensors", keys.size()) : fmt::format("no '{}'", key),
      fmt::join(keys, ", "), path));
}

Expected<HostTensor> read_npz_array(const std::string& path, const std::string& key) {
  Expected<std::vector<NamedTensor>> arrays = read_npz(path);
  if (!arrays.ok()) {
    return arrays.error();
  }
  std::vector<std::string> keys;
  for (NamedTensor& named : *arrays) {
    if (named.key == key || (key.empty() && arrays->size() == 1)) {
      return std::move(named.tensor);
    }
    keys.push_back(named.key);
  }
  return unknown_key(path, key, keys);
}

Expected<HostTensor> read_safetensor(const std::string& path, const std::string& key) {
  Expected<Safetensors> file = Safetensors::open(path);
  if (!file.ok()) {
    return file.error();
  }
  std::vector<std::string> keys;
  for (const Safetensors::Entry& entry : file->entries()) {
    if (entry.key == key || (key.empty() && file->entries().size() == 1)) {
      return Safetensors::copy(entry);
    }
    keys.push_back(entry.key);
  }
  return unknown_key(path, key, keys);
}

struct FileName {
  std::string path;
  std::string key;        // after the colon
  std::string extension;  // lower case, with the dot
};

std::optional<FileName> parse_file_name(const std::string& text) {
  constexpr std::string_view kExtensions[] = {".safetensors", ".npz", ".npy", ".png", ".jpg",
                                              ".jpeg",        ".bmp", ".gif", ".tga", ".psd",
                                              ".ppm",         ".pgm", ".wav"};
  const std::string small = lower(text);
  for (const std::string_view extension : kExtensions) {
    const bool keyed = extension == ".npz" || extension == ".safetensors";
    const size_t colon = keyed ? small.rfind(std::string(extension) + ":") : std::string::npos;
    if (colon != std::string::npos) {
      const size_t end = colon + extension.size();
      return FileName{text.substr(0, end), text.substr(end + 1), std::string(extension)};
    }
    if (small.size() > extension.size() &&
        small.compare(small.size() - extension.size(), extension.size(), extension) == 0) {
      return FileName{text, "", std::string(extension)};
    }
  }
  return std::nullopt;
}

Expected<HostTensor> read_tensor(const FileName& file, const InputSpec& spec,
                                 const ImageOptions& image) {
  if (file.extension == ".npy") {
    return read_npy(file.path);
  }
  if (file.extension == ".npz") {
    return read_npz_array(file.path, file.key);
  }
  if (file.extension == ".safetensors") {
    return read_safetensor(file.path, file.key);
  }
  if (file.extension == ".wav") {
    Expected<Sound> sound = read_wav(file.path);
    return sound.ok() ? sound_tensor(*sound, spec.dtype, spec.sizes)
                      : Expected<HostTensor>(sound.error());
  }
  return read_image(file.path, spec.dtype, spec.sizes, spec.dim_order, image);
}

}  // namespace

Expected<HostValue> parse_input(const std::string& text, const InputSpec& spec,
                                const ImageOptions& image) {
  if (const std::optional<FileName> file = parse_file_name(text)) {
    Expected<HostTensor> tensor = read_tensor(*file, spec, image);
    return tensor.ok() ? fit_kind(*std::move(tensor), spec) : Expected<HostValue>(tensor.error());
  }
  if (text == "zeros" || text == "random" || starts_with(text, "random:")) {
    return fill(text, spec);
  }
  if (starts_with(text, "[")) {
    return parse_list(text, spec);
  }
  if (text == "none" || text == "None") {
    return HostValue{};
  }
  if (spec.kind == Value::Kind::kString) {
    return HostValue{text};
  }
  if (const std::optional<Number> number = parse_number(text)) {
    Expected<HostValue> value = of_number(*number, spec);
    return value.ok() ? std::move(value)
                      : invalid(fmt::format("'{}': {}", text, value.error().text));
  }
  return invalid(fmt::format("'{}' is neither a known kind of file nor a literal", text));
}

}  // namespace cresset::data
