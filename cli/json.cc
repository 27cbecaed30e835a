// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace cresset::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

}  // namespace

Json::Json(double value)
    : kind_(std::isfinite(value) ? Kind::kRaw : Kind::kNull), text_(fmt::format("{}", value)) {}

Json& Json::set(const std::string& key, Json value) {
  items_.emplace_back(key, std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  items_.emplace_back("", std::move(value));
  return *this;
}

std::string Json::text(int level) const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kRaw:
      return text_;
    case Kind::kString:
      return quoted(text_);
    default:
      break;
  }
  const bool is_object = kind_ == Kind::kObject;
  const char* const open = is_object ? "{" : "[";
  const char* const close = is_object ? "}" : "]";
  const bool flat = !is_object && std::all_of(items_.begin(), items_.end(), [](const auto& item) {
    return item.second.kind_ == Kind::kRaw || item.second.kind_ == Kind::kNull;
  });
  std::string result = open;
  for (size_t i = 0; i < items_.size(); ++i) {
    const auto& [key, value] = items_[i];
    result += i == 0 ? "" : flat ? ", " : ",";
    if (!flat) {
      result += "\n" + std::string(static_cast<size_t>(2 * level + 2), ' ');
    }
    result += (is_object ? quoted(key) + ": " : "") + value.text(level + 1);
  }
  if (!flat && !items_.empty()) {
    result += "\n" + std::string(static_cast<size_t>(2 * level), ' ');
  }
  return result + close;
}

}  // namespace cresset::cli
