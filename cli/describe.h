// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/json.h"
#include "core/error.h"

namespace cresset::cli {

// What a file of the family holds, in one form for people and scripts: facts first, then tables.
struct Description {
  struct Section {
    std::string title;
    std::string align;                           // of the table's columns
    std::vector<std::vector<std::string>> rows;  // the first names the columns
  };
  std::string kind;                                        // "program", "torch.export archive", ...
  uint64_t file_bytes = 0;                                 // for scripts only
  std::vector<std::pair<std::string, std::string>> facts;  // name, value; no section's title
  std::vector<Section> sections;

  std::string text(const std::string& path) const;
  Json json() const;
};

// One function a kind of file.
Expected<Description> describe_program(const std::string& path, bool bundled);
Expected<Description> describe_model(const std::string& path);
Expected<Description> describe_safetensors(const std::string& path);
Expected<Description> describe_data_file(const std::string& path);
Expected<Description> describe_etdump(const std::string& path);

// The instructions of a program; the graph of a model.
Expected<std::string> program_listing(const std::string& path);
Expected<std::string> model_listing(const std::string& path);

}  // namespace cresset::cli
