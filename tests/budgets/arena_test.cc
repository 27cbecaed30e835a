// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/pipeline.h"
#include "kernels/registry.h"

// Planned activations of the promised models against what ExecuTorch plans for them, as the
// corpus's PEER.tsv has it.
namespace cresset::tests {
namespace {

std::string corpus_path(const std::string& file) {
  const char* folder = std::getenv("CRESSET_CORPUS");
  return std::string(folder != nullptr ? folder : CRESSET_CORPUS_DIR) + "/" + file;
}

// Lines that are neither empty nor comments, split at `separator`.
std::vector<std::vector<std::string>> read_lines(const std::string& path, char separator) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, separator);) {
      rows.back().push_back(cell);
    }
  }
  return rows;
}

// The peer's arena by model, where the peer could lower it.
std::map<std::string, uint64_t> peer_arenas() {
  const auto rows = read_lines(corpus_path("models/PEER.tsv"), '\t');
  std::map<std::string, uint64_t> arenas;
  for (size_t column = 0; !rows.empty() && column < rows[0].size(); ++column) {
    if (rows[0][column] != "arena bytes (portable)") {
      continue;
    }
    for (size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].size() > column && !rows[i][column].empty()) {
        arenas[rows[i][0]] = std::stoull(rows[i][column]);
      }
    }
  }
  return arenas;
}

TEST(ArenaBudget, NoPromisedModelPlansMoreThanExecutorch) {
  const std::map<std::string, uint64_t> peer = peer_arenas();
  // Where the peer plans for a smaller bound of a dimension than the model declares.
  std::map<std::string, std::map<std::string, int64_t>> bounds;
  const std::string source = CRESSET_SOURCE_DIR;
  for (const auto& row : read_lines(source + "/tests/budgets/peer_bounds.txt", ' ')) {
    ASSERT_EQ(row.size(), 3u);
    bounds[row[0]][row[1]] = std::stoll(row[2]);
  }
  size_t compared = 0;
  for (const auto& row : read_lines(source + "/tests/models/promised.txt", '\t')) {
    const auto found = peer.find(row[0]);
    if (found == peer.end()) {
      continue;
    }
    const std::string path = corpus_path("models/" + row[0] + "/model.pt2");
    if (!std::filesystem::exists(path)) {
      continue;  // the packed corpus lacks the larger models
    }
    compiler::CompileOptions options;
    const ops::KernelTables kernels = kernels::host_kernels();
    options.kernels = kernels;
    options.max = bounds[row[0]];
    const auto result = compiler::compile({{"forward", path}}, options);
    ASSERT_TRUE(result.ok()) << row[0] << ": " << result.error().text;
    ASSERT_EQ(result->methods.size(), 1u);
    EXPECT_LE(result->methods[0].arena_bytes.at(0), found->second) << row[0];
    ++compared;
  }
  EXPECT_GE(compared, 15u);  // of the packed corpus; the whole one has three times as many
}

}  // namespace
}  // namespace cresset::tests
