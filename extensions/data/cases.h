// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "extensions/data/compare.h"
#include "extensions/data/host_value.h"

namespace cresset::data {

// What a case demands of the call it describes.
struct Expectation {
  Tolerance tolerance;
  bool error = false;  // the call must be refused; `why` is the reference's reason
  std::string why;
  // Not empty: the case holds a tensor that none of ours can be (more than kMaxRank dimensions,
  // say), and this is why; None stands in its place.
  std::string impossible;
  bool random = false;  // only number, shapes and dtypes of the results count
};

// One call of one operator.
struct OperatorCase {
  std::vector<HostValue> args;
  std::vector<std::pair<std::string, HostValue>> kwargs;
  std::vector<HostValue> outs;
  Expectation expect;
};

// One call of one method of a program: flattened user inputs and outputs.
struct ProgramCase {
  std::string method;
  std::vector<HostValue> inputs;
  std::vector<HostValue> outputs;
  // Where the uncompiled model legitimately gives something else than `outputs`; else empty.
  std::vector<HostValue> eager;
  std::map<size_t, HostValue> mutated;  // input number -> its value afterwards
  Expectation expect;
};

// The cases of a case file: a .safetensors file whose metadata holds one string, `cases`. All of it
// is read and checked, so a file that opens holds nothing malformed.
Expected<std::vector<OperatorCase>> read_operator_cases(const std::string& path);
Expected<std::vector<ProgramCase>> read_program_cases(const std::string& path);

}  // namespace cresset::data
