// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cresset::tests {

// Told by the work of a child process what happens, step by step; the parent hears of it at once,
// so that a crash loses nothing but the step it happened in.
class Reporter {
 public:
  explicit Reporter(int pipe, unsigned step_seconds) : pipe_(pipe), step_seconds_(step_seconds) {}

  // A step starts; `label` names it if it crashes or takes longer than is allowed.
  void begin(const std::string& label);
  // How the step ended; `line` is printed.
  void pass();
  void fail(const std::string& line);
  void skip(const std::string& line);
  // A line that counts for nothing.
  void note(const std::string& line);

 private:
  void send(char tag, const std::string& text);

  int pipe_;
  unsigned step_seconds_;
};

struct Outcome {
  size_t passed = 0;
  size_t failed = 0;
  size_t skipped = 0;
  std::vector<std::string> failures;  // one line a failing step
  std::vector<std::string> skips;
  std::vector<std::string> notes;
};

struct ForkedOptions {
  size_t jobs = 1;             // child processes at a time
  unsigned step_seconds = 30;  // a step that takes longer has failed
  // After a crash: go on with the next step in a new child, or give the item up.
  bool resume = true;
};

// work(item, first step, reporter) for each of `items` items, each in a child process of its own
// that does all steps from the first on. `done` is called in the order of the items, in this
// process.
using Work = std::function<void(size_t item, size_t first_step, Reporter& reporter)>;
using Done = std::function<void(size_t item, const Outcome& outcome)>;
void run_forked(size_t items, const ForkedOptions& options, const Work& work, const Done& done);

}  // namespace cresset::tests
