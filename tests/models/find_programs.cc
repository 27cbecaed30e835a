// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/models/find_programs.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace cresset::tests {
namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& file, const fs::path& root) {
  fs::path name = fs::relative(file, root).replace_extension();
  if (name.filename() == "model") {
    name = name.parent_path();
  }
  const bool is_root = name.empty() || name == ".";
  return is_root ? fs::absolute(file).parent_path().filename().string() : name.string();
}

}  // namespace

std::vector<SweepProgram> find_programs(const std::vector<std::string>& paths) {
  std::vector<SweepProgram> programs;
  for (const std::string& path : paths) {
    const bool is_folder = fs::is_directory(path);
    const fs::path root = is_folder ? fs::path(path) : fs::path(path).parent_path();
    std::vector<fs::path> files;
    if (is_folder) {
      for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.path().extension() == ".pt2") {
          files.push_back(entry.path());
        }
      }
    } else {
      files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    std::map<fs::path, std::vector<fs::path>> sharing;  // folder -> files that use io.safetensors
    for (const fs::path& file : files) {
      fs::path cases = file;
      cases.replace_extension(".safetensors");
      if (fs::exists(cases)) {
        programs.push_back({name_of(file, root), {{"forward", file.string()}}, cases.string()});
      } else {
        sharing[file.parent_path()].push_back(file);
      }
    }
    for (const auto& [folder, methods] : sharing) {
      SweepProgram program;
      program.name =
          methods.size() == 1 ? name_of(methods[0], root) : name_of(folder / "model", root);
      program.cases = (folder / "io.safetensors").string();
      for (const fs::path& method : methods) {
        const std::string stem = method.stem().string();
        program.methods.push_back({stem == "model" ? "forward" : stem, method.string()});
      }
      programs.push_back(std::move(program));
    }
  }
  std::sort(programs.begin(), programs.end(), [](const SweepProgram& a, const SweepProgram& b) {
    return a.methods[0].path < b.methods[0].path;
  });
  return programs;
}

}  // namespace cresset::tests
