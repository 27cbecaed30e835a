// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/text.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

namespace cresset::cli {
namespace {

std::string three_digits(double value) {
  return value < 10    ? fmt::format("{:.2f}", value)
         : value < 100 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.0f}", value);
}

// Columns that the text takes on a terminal: bytes that begin a character of UTF-8.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1000) {
    return fmt::format("{} B", bytes);
  }
  const char* const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return three_digits(value) + " " + units[unit];
}

std::string seconds_text(double seconds) {
  return seconds >= 1       ? three_digits(seconds) + " s"
         : seconds >= 0.001 ? three_digits(seconds * 1e3) + " ms"
                            : three_digits(seconds * 1e6) + " us";
}

std::string count_text(uint64_t count, const std::string& singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string Table::text(const std::string& indent) const {
  std::vector<size_t> widths(align_.size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (align_[i] == '>' ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

Progress::Progress(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) != 0) {}

void Progress::show(const std::string& text) {
  if (shown_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
}

}  // namespace cresset::cli
