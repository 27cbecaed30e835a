// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/session/check_case.h"

#include <optional>

#include "extensions/data/compare.h"

namespace cresset {
namespace {

using data::HostValue;

std::optional<std::string> differ(const HostValue& got, const HostValue& want,
                                  const data::Expectation& expect) {
  return expect.random ? data::shape_mismatch(got, want)
                       : data::mismatch(got, want, expect.tolerance);
}

}  // namespace

std::string check_case(Module& module, const data::ProgramCase& program_case, Reference reference) {
  const data::Expectation& expect = program_case.expect;
  if (!expect.impossible.empty()) {
    return expect.error ? "" : expect.impossible;
  }
  const auto results = module.run(program_case.method, program_case.inputs);
  if (expect.error) {
    return results.ok() ? "accepted, must be refused: " + expect.why : "";
  }
  if (!results.ok()) {
    return results.error().text;
  }
  const std::vector<HostValue>& wanted =
      reference == Reference::kModel && !program_case.eager.empty() ? program_case.eager
                                                                    : program_case.outputs;
  if (results->size() != wanted.size()) {
    return "got " + std::to_string(results->size()) + " outputs, want " +
           std::to_string(wanted.size());
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (const auto why = differ((*results)[i], wanted[i], expect)) {
      return "output " + std::to_string(i) + ": " + *why;
    }
  }
  for (const auto& [input, want] : program_case.mutated) {
    if (const auto why = differ(module.input_after(program_case.method, input), want, expect)) {
      return "input " + std::to_string(input) + " afterwards: " + *why;
    }
  }
  return "";
}

}  // namespace cresset
