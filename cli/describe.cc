// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/describe.h"

#include <fmt/core.h>

#include <charconv>

#include "cli/text.h"

namespace cresset::cli {

namespace {

// Whole numbers become numbers.
Json cell(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? Json(number) : Json(text);
}

}  // namespace

std::string Description::text(const std::string& path) const {
  std::string result = fmt::format("{}: {}\n", path, kind);
  Table table("<<");
  for (const auto& [name, value] : facts) {
    table.add({name, value});
  }
  result += table.text("  ");
  for (const Section& section : sections) {
    if (section.rows.size() < 2) {
      continue;
    }
    result += section.title + "\n";
    Table rows(section.align);
    for (const auto& row : section.rows) {
      rows.add(row);
    }
    result += rows.text("  ");
  }
  return result;
}

Json Description::json() const {
  Json json = Json::object();
  json.set("kind", kind).set("file_bytes", file_bytes);
  for (const auto& [name, value] : facts) {
    json.set(name, cell(value));
  }
  for (const Section& section : sections) {
    Json list = Json::array();
    for (size_t i = 1; i < section.rows.size(); ++i) {
      Json row = Json::object();
      for (size_t c = 0; c < section.rows[i].size(); ++c) {
        row.set(section.rows[0][c], cell(section.rows[i][c]));
      }
      list.push(std::move(row));
    }
    json.set(section.title, std::move(list));
  }
  return json;
}

}  // namespace cresset::cli
