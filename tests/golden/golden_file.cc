// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/golden/golden_file.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

namespace cresset::tests {

namespace {

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  const size_t last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last + 1 - first));
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    items.push_back(trimmed(text.substr(0, comma)));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return items;
}

// Whether the line is "key: rest", at its very start.
bool is_key(const std::string& line, std::string_view key, std::string* rest) {
  if (!line.starts_with(key)) {
    return false;
  }
  *rest = trimmed(std::string_view(line).substr(key.size()));
  return true;
}

}  // namespace

ir::Expected<GoldenFile> read_golden_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    return ir::error(Status::kAccessFailed, path + ": cannot be read");
  }
  GoldenFile file;
  file.path = path;
  for (std::string line; std::getline(in, line);) {
    file.lines.push_back(line);
  }
  const auto bad = [&](size_t line, const std::string& what) {
    return ir::bad_model(fmt::format("{}:{}: {}", path, line + 1, what));
  };
  std::string* block = nullptr;  // where lines of a graph go
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    std::string rest;
    if (is_key(line, "case:", &rest)) {
      file.cases.emplace_back();
      file.cases.back().name = rest;
      file.cases.back().line = i + 1;
      file.cases.back().passes = {std::filesystem::path(path).stem().string()};
      block = nullptr;
      continue;
    }
    if (file.cases.empty()) {
      if (!line.empty() && line[0] != '#') {
        return bad(i, "expected a comment or 'case:'");
      }
      continue;
    }
    GoldenCase& c = file.cases.back();
    if (is_key(line, "passes:", &rest)) {
      c.passes = words(rest);
    } else if (is_key(line, "keeps:", &rest)) {
      c.keeps = words(rest);
    } else if (is_key(line, "without:", &rest)) {
      c.without = words(rest);
    } else if (is_key(line, "requantize:", &rest)) {
      c.requantize = rest;
    } else if (is_key(line, "row_major:", &rest)) {
      c.row_major = words(rest);
    } else if (is_key(line, "input:", &rest)) {
      block = &c.input;
    } else if (is_key(line, "expect:", &rest) || is_key(line, "error:", &rest)) {
      c.error = rest;
      c.expect_begin = i;
      c.expect_end = i + 1;
      block = line[0] == 'e' && line[1] == 'x' ? &c.expect : nullptr;
    } else if (block != nullptr) {
      *block += line + "\n";
      if (block == &c.expect && !trimmed(line).empty()) {
        c.expect_end = i + 1;
      }
    } else if (!trimmed(line).empty() && line[0] != '#') {
      return bad(i, "this line belongs to no graph");
    }
  }
  for (const GoldenCase& c : file.cases) {
    if (c.input.empty() || c.expect_end == 0) {
      return bad(c.line - 1, "the case has no 'input:', or no 'expect:' or 'error:' behind it");
    }
  }
  return file;
}

ir::Error update_golden_file(const GoldenFile& file, const std::vector<std::string>& expectations) {
  std::string text;
  size_t line = 0;
  const auto copy_until = [&](size_t end) {
    for (; line < end; ++line) {
      text += file.lines[line] + "\n";
    }
  };
  for (size_t k = 0; k < file.cases.size(); ++k) {
    if (!expectations[k].empty()) {
      copy_until(file.cases[k].expect_begin);
      text += expectations[k];
      line = file.cases[k].expect_end;
    }
  }
  copy_until(file.lines.size());
  std::ofstream out(file.path, std::ios::trunc);
  out << text;
  out.close();
  return out ? ir::Error() : ir::error(Status::kAccessFailed, file.path + ": cannot be written");
}

}  // namespace cresset::tests
