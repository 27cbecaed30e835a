// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/ir/error.h"

namespace cresset::tests {

// One case of a golden file.
struct GoldenCase {
  std::string name;
  size_t line = 0;                     // of "case:"
  std::vector<std::string> passes;     // by name, in order
  std::vector<std::string> keeps;      // ids of composites that a backend has claimed
  std::vector<std::string> without;    // ids of rows that the target has no kernel for
  std::vector<std::string> row_major;  // ids of rows that take row-major tensors only
  std::string requantize;              // form of the target's integer rows: fixed or narrow
  std::string input;                   // a graph's text
  std::string expect;                  // a graph's text, or
  std::string error;                   // a part of the error that is expected
  size_t expect_begin = 0;             // lines of the expectation, from "expect:" or "error:" on
  size_t expect_end = 0;
};

// A file of cases:
//
//   # what the file is about
//   case: drops what nobody uses
//   passes: eliminate_dead_code      (may be left out: the pass that the file is named after)
//   keeps: gelu, layer_norm          (may be left out)
//   without: relu                    (may be left out)
//   requantize: fixed                (may be left out)
//   row_major: flip                  (may be left out)
//   input:
//   graph forward(...) { ... }
//   expect:                          or "error: a part of the message"
//   graph forward(...) { ... }
struct GoldenFile {
  std::string path;
  std::vector<std::string> lines;
  std::vector<GoldenCase> cases;
};

ir::Expected<GoldenFile> read_golden_file(const std::string& path);

// Puts new expectations in place: one text (lines from "expect:" or "error:" on) a case, empty
// where the case stays as it is.
ir::Error update_golden_file(const GoldenFile& file, const std::vector<std::string>& expectations);

}  // namespace cresset::tests
