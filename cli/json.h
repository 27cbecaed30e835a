// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cresset::cli {

// A value of JSON that is built up and printed; objects keep the order of their keys.
class Json {
 public:
  Json() = default;  // null
  static Json object() { return Json(Kind::kObject); }
  static Json array() { return Json(Kind::kArray); }
  Json(bool value) : kind_(Kind::kRaw), text_(value ? "true" : "false") {}   // NOLINT
  Json(int value) : Json(static_cast<int64_t>(value)) {}                     // NOLINT
  Json(int64_t value) : kind_(Kind::kRaw), text_(std::to_string(value)) {}   // NOLINT
  Json(uint64_t value) : kind_(Kind::kRaw), text_(std::to_string(value)) {}  // NOLINT
  Json(uint32_t value) : Json(static_cast<uint64_t>(value)) {}               // NOLINT
  Json(double value);  // null unless finite                                  // NOLINT
  Json(const char* value) : kind_(Kind::kString), text_(value) {}             // NOLINT
  Json(std::string value) : kind_(Kind::kString), text_(std::move(value)) {}  // NOLINT
  // A number that is text already.
  static Json number(std::string digits) {
    Json result(Kind::kRaw);
    result.text_ = std::move(digits);
    return result;
  }
  template <class T>
  static Json array_of(const T& items) {
    Json result = array();
    for (const auto& item : items) {
      result.push(static_cast<int64_t>(item));
    }
    return result;
  }

  Json& set(const std::string& key, Json value);  // of an object
  Json& push(Json value);                         // of an array

  // Indented by two spaces a level; arrays of plain numbers stay on one line.
  std::string text(int level = 0) const;

 private:
  enum class Kind { kNull, kRaw, kString, kArray, kObject };
  explicit Json(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::kNull;
  std::string text_;
  std::vector<std::pair<std::string, Json>> items_;  // keys are empty in arrays
};

}  // namespace cresset::cli
