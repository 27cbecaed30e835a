// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/nearest_names.h"

#include <algorithm>
#include <numeric>

namespace cresset::frontend {

namespace {

// Longer names come from damaged files only.
constexpr size_t kMaxNameBytes = 128;

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view wanted,
                                            Span<const std::string_view> names, size_t count) {
  wanted = wanted.substr(0, kMaxNameBytes);
  struct Candidate {
    size_t distance;
    std::string_view name;
  };
  std::vector<Candidate> candidates;
  for (std::string_view name : names) {
    const size_t distance = edit_distance(wanted, name);
    if (distance <= std::max(wanted.size(), name.size()) / 3) {
      candidates.push_back({distance, name});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string_view> nearest;
  for (const Candidate& candidate : candidates) {
    if (nearest.size() == count) {
      break;
    }
    nearest.push_back(candidate.name);
  }
  return nearest;
}

}  // namespace cresset::frontend
