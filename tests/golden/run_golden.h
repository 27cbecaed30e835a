// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "tests/golden/golden_file.h"

namespace cresset::tests {

struct GoldenOutcome {
  std::string fault;      // what is wrong; empty where nothing is
  std::string actual;     // the expectation that this run would meet: lines from "expect:" on
  bool computed = false;  // both graphs ran and gave the same numbers
};

// Runs the case's passes on its graph and compares text with expectation. Besides: the graphs keep
// the IR's rules before and after, the result's text reads back as the same text, and where
// operators allow both graphs are computed, with the portable kernels on made-up inputs: outputs,
// buffers and updates must agree.
GoldenOutcome run_golden_case(const GoldenCase& golden);

}  // namespace cresset::tests
