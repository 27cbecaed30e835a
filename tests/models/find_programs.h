// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/pipeline.h"

namespace cresset::tests {

// A program of the corpus: its methods' .pt2 files and its case file.
struct SweepProgram {
  std::string name;  // relative to the folder that was given, "abs/0"; "model" is left out
  std::vector<compiler::MethodSource> methods;
  std::string cases;
};

// Every *.pt2 at or below the paths: each a program of its own with `X.safetensors` beside `X.pt2`,
// else with `io.safetensors` in its folder; several of the latter kind in one folder are the
// methods of one program. Sorted by path.
std::vector<SweepProgram> find_programs(const std::vector<std::string>& paths);

}  // namespace cresset::tests
