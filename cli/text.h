// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cresset::cli {

// "512 B", "14.2 kB", "13.9 MB": decimal units, three digits.
std::string bytes_text(uint64_t bytes);
// "1.25 s", "143 ms", "87.2 us".
std::string seconds_text(double seconds);
// "1 operator", "3 operators".
std::string count_text(uint64_t count, const std::string& singular);

// Columns as wide as their widest cell. `align` has one character a column: '<' or '>'.
class Table {
 public:
  explicit Table(std::string align) : align_(std::move(align)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // Each line ends with a newline; `indent` goes before it.
  std::string text(const std::string& indent = "") const;

 private:
  std::string align_;
  std::vector<std::vector<std::string>> rows_;
};

// Of a terminal that shows standard error: a line that is replaced by the next and finally removed.
// Otherwise nothing is shown.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { show(""); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);

 private:
  bool shown_;
};

}  // namespace cresset::cli
