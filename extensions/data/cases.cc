// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/cases.h"

#include <fmt/ranges.h>
#include <simdjson.h>

#include <cmath>
#include <limits>

#include "extensions/data/safetensors.h"

namespace cresset::data {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// Turns JSON into values; keeps the first fault.
class Reader {
 public:
  explicit Reader(const Safetensors& file) : file_(file) {}

  bool ok() const { return error_.ok(); }
  const Error& error() const { return error_; }
  void fail(const std::string& text) {
    if (ok()) {
      error_ = invalid(file_.name() + ": " + text);
    }
  }

  HostValue value(const element& json);
  std::vector<HostValue> values(const element& json);
  // The list under `key`; empty where the key is absent.
  std::vector<HostValue> values(const object& owner, const char* key) {
    element list;
    return owner[key].get(list) == simdjson::SUCCESS ? values(list) : std::vector<HostValue>();
  }
  // Of a case whose values have been read; begins the next.
  Expectation expectation(const object& json);

 private:
  HostValue tagged(const object& json);
  HostValue tensor(const object& json);

  const Safetensors& file_;
  Error error_;
  std::string impossible_;  // of the case that is being read
};

HostValue Reader::value(const element& json) {
  switch (json.type()) {
    case simdjson::dom::element_type::NULL_VALUE:
      return {};
    case simdjson::dom::element_type::BOOL:
      return {bool(json)};
    case simdjson::dom::element_type::INT64:
      return {int64_t(json)};
    case simdjson::dom::element_type::DOUBLE:
      return {double(json)};
    case simdjson::dom::element_type::ARRAY:
      return {values(json)};
    case simdjson::dom::element_type::OBJECT:
      return tagged(object(json));
    default:
      fail("a value is neither number, list nor object");
      return {};
  }
}

std::vector<HostValue> Reader::values(const element& json) {
  std::vector<HostValue> result;
  array list;
  if (json.get(list) != simdjson::SUCCESS) {
    fail("a list of values is expected");
    return result;
  }
  for (const element item : list) {
    result.push_back(value(item));
  }
  return result;
}

// Leaves `out` alone where the key is absent or of another type.
template <class T>
void take(const object& owner, const char* key, T* out) {
  T value;
  if (owner[key].get(value) == simdjson::SUCCESS) {
    *out = value;
  }
}

double special_number(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return text == "inf"    ? kInfinity
         : text == "-inf" ? -kInfinity
                          : std::numeric_limits<double>::quiet_NaN();
}

double number(const element& json) {
  double result = std::numeric_limits<double>::quiet_NaN();
  object special;
  std::string_view text;
  if (json.get(special) == simdjson::SUCCESS && special["f"].get(text) == simdjson::SUCCESS) {
    return special_number(text);
  }
  return json.get(result) == simdjson::SUCCESS ? result : special_number("nan");
}

HostValue Reader::tagged(const object& json) {
  std::string_view text;
  element item;
  if (json["t"].get(text) == simdjson::SUCCESS) {
    return tensor(json);
  }
  if (json["f"].get(text) == simdjson::SUCCESS) {
    if (text != "inf" && text != "-inf" && text != "nan") {
      fail(fmt::format("unknown number '{}'", text));
    }
    return {special_number(text)};
  }
  if (json["c"].get(item) == simdjson::SUCCESS) {
    array parts;
    if (item.get(parts) != simdjson::SUCCESS || parts.size() != 2) {
      fail("a complex number has two parts");
      return {};
    }
    return {Complex<double>{number(parts.at(0)), number(parts.at(1))}};
  }
  if (json["s"].get(text) == simdjson::SUCCESS) {
    return {std::string(text)};
  }
  if (json["dtype"].get(text) == simdjson::SUCCESS) {
    DType dtype;
    if (!dtype_from_text(text.data(), text.size(), &dtype)) {
      fail(fmt::format("unknown dtype '{}'", text));
      return {};
    }
    return {dtype};
  }
  if (json["memory_format"].get(text) == simdjson::SUCCESS) {
    return {MemoryFormatName{std::string(text)}};
  }
  fail("a value is an object of unknown kind");
  return {};
}

HostValue Reader::tensor(const object& json) {
  std::string_view key;
  take(json, "t", &key);
  const Safetensors::Entry* const entry = file_.find(key);
  if (entry == nullptr) {
    fail(fmt::format("a case names tensor '{}', which the file lacks", key));
    return {};
  }
  std::vector<int64_t> sizes = entry->sizes;
  DType dtype = entry->dtype;
  bool complex = false;
  if (json["complex"].get(complex) == simdjson::SUCCESS && complex) {
    const bool pairs = !sizes.empty() && sizes.back() == 2;
    if (!pairs ||
        (dtype != DType::kFloat16 && dtype != DType::kFloat32 && dtype != DType::kFloat64)) {
      fail(fmt::format("tensor '{}' holds no complex numbers", key));
      return {};
    }
    sizes.pop_back();
    dtype = dtype == DType::kFloat16   ? DType::kComplex32
            : dtype == DType::kFloat32 ? DType::kComplex64
                                       : DType::kComplex128;
  }
  std::vector<uint8_t> dim_order;
  array order;
  if (json["dim_order"].get(order) == simdjson::SUCCESS) {
    for (const element dim : order) {
      int64_t number = -1;
      if (dim.get(number) != simdjson::SUCCESS || number < 0 || number > 255) {
        fail(fmt::format("the dim order of tensor '{}' is malformed", key));
        return {};
      }
      dim_order.push_back(static_cast<uint8_t>(number));
    }
  }
  if (!dim_order.empty() && (dim_order.size() != sizes.size() || !is_permutation(dim_order))) {
    fail(fmt::format("the dim order of tensor '{}' is no permutation", key));
    return {};
  }
  Expected<HostTensor> made = HostTensor::make(dtype, sizes, std::move(dim_order));
  if (!made.ok()) {
    impossible_ = fmt::format("tensor '{}': {}", key, made.error().text);
    return {};
  }
  made->assign_row_major(entry->bytes);
  return {*std::move(made)};
}

Expectation Reader::expectation(const object& json) {
  Expectation expect;
  expect.impossible = std::exchange(impossible_, {});
  take(json, "rtol", &expect.tolerance.rtol);
  take(json, "atol", &expect.tolerance.atol);
  take(json, "error", &expect.error);
  take(json, "random", &expect.random);
  std::string_view why;
  take(json, "why", &why);
  expect.why = why;
  return expect;
}

OperatorCase read_case(const object& json, Reader& reader, const OperatorCase*) {
  OperatorCase result;
  result.args = reader.values(json, "args");
  result.outs = reader.values(json, "outs");
  object kwargs;
  if (json["kwargs"].get(kwargs) == simdjson::SUCCESS) {
    for (const auto field : kwargs) {
      result.kwargs.emplace_back(field.key, reader.value(field.value));
    }
  }
  result.expect = reader.expectation(json);
  return result;
}

ProgramCase read_case(const object& json, Reader& reader, const ProgramCase*) {
  ProgramCase result;
  std::string_view method;
  if (json["method"].get(method) != simdjson::SUCCESS) {
    reader.fail("a case names no method");
  }
  result.method = method;
  result.inputs = reader.values(json, "inputs");
  result.outputs = reader.values(json, "outputs");
  result.eager = reader.values(json, "eager");
  object mutated;
  if (json["mutated"].get(mutated) == simdjson::SUCCESS) {
    for (const auto field : mutated) {
      size_t input = 0;
      const std::string text(field.key);
      if (std::sscanf(text.c_str(), "%zu", &input) != 1 || input >= result.inputs.size()) {
        reader.fail(fmt::format("a case speaks of input '{}', which it lacks", text));
      }
      result.mutated.emplace(input, reader.value(field.value));
    }
  }
  result.expect = reader.expectation(json);
  return result;
}

template <class Case>
Expected<std::vector<Case>> read_cases(const std::string& path) {
  Expected<Safetensors> file = Safetensors::open(path);
  if (!file.ok()) {
    return file.error();
  }
  const auto text = file->metadata().find("cases");
  if (text == file->metadata().end()) {
    return invalid(path + ": not a case file: its metadata has no 'cases'");
  }
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text->second);
  array list;
  if (const auto code = parser.parse(padded).get(list); code != simdjson::SUCCESS) {
    return invalid(
        fmt::format("{}: 'cases' is not a JSON list: {}", path, simdjson::error_message(code)));
  }
  Reader reader(*file);
  std::vector<Case> cases;
  for (const element item : list) {
    object fields;
    if (item.get(fields) != simdjson::SUCCESS) {
      reader.fail("a case is not an object");
      break;
    }
    cases.push_back(read_case(fields, reader, static_cast<const Case*>(nullptr)));
    if (!reader.ok()) {
      break;
    }
  }
  if (!reader.ok()) {
    Error error = reader.error();
    error.text += fmt::format(" (case {})", cases.size());
    return error;
  }
  return cases;
}

}  // namespace

Expected<std::vector<OperatorCase>> read_operator_cases(const std::string& path) {
  return read_cases<OperatorCase>(path);
}

Expected<std::vector<ProgramCase>> read_program_cases(const std::string& path) {
  return read_cases<ProgramCase>(path);
}

}  // namespace cresset::data
