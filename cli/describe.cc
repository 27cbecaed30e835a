// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/describe.h"

#include <fmt/core.h>

#include "cli/text.h"

namespace cresset::cli {

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
  json.set("kind", kind);
  for (const auto& [name, value] : facts) {
    json.set(name, value);
  }
  for (const Section& section : sections) {
    Json list = Json::array();
    for (size_t i = 1; i < section.rows.size(); ++i) {
      Json row = Json::object();
      for (size_t c = 0; c < section.rows[i].size(); ++c) {
        row.set(section.rows[0][c], section.rows[i][c]);
      }
      list.push(std::move(row));
    }
    json.set(section.title, std::move(list));
  }
  return json;
}

}  // namespace cresset::cli
