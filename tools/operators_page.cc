// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/operators.md from the operator table and the list of known failures of conformance,
// whose path is the argument. tools/check_docs compares.

#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#include "kernels/registry.h"
#include "ops/kernel_table.h"
#include "ops/op_id.h"

namespace cresset {
namespace {

struct Row {
  const char* name;
  const char* overload;
  const char* out;
  const char* schema;
  uint16_t traits;
  const char* doc;
};

using namespace ops;  // the traits column names traits without their scope
constexpr Row kRows[] = {
#define OP(id, name, overload, out, schema, traits, inference, doc) \
  {name, overload, out, schema, static_cast<uint16_t>(traits), doc},
#include "ops/op_table.def"
#undef OP
};

std::string traits_text(uint16_t traits) {
  constexpr struct {
    Trait trait;
    const char* text;
  } kNames[] = {
      {kElementwise, "elementwise"}, {kInPlace, "in place"},  {kReinterprets, "reinterprets"},
      {kRandom, "random"},           {kWrites, "writes"},     {kDataDependent, "data-dependent"},
      {kCommutes, "commutes"},       {kHostOnly, "host only"}};
  std::string text;
  for (const auto& n : kNames) {
    if (traits & n.trait) text += (text.empty() ? "" : ", ") + std::string(n.text);
  }
  return text;
}

void print_page() {
  int with_kernel = 0;
  std::string table;
  const KernelTable portable = kernels::portable_kernels();
  const KernelTable numerics = kernels::numerics_kernels();
  for (const Row& row : kRows) {
    const bool has_kernel = find_kernel({&portable, 1}, row.name, row.out) != nullptr;
    with_kernel += has_kernel;
    std::string name = row.name;
    if (*row.overload) name += std::string(".") + row.overload;
    table += "| `" + name + "` | `" + row.schema + "` | " + traits_text(row.traits) + " | " +
             (has_kernel                                                  ? "portable"
              : find_kernel({&numerics, 1}, row.name, row.out) != nullptr ? "numerics"
                                                                          : "") +
             " | " + row.doc + " |\n";
  }
  std::printf(
      "# Operators\n\nWritten by `tools/check_docs --update` from ops/op_table.def; not edited by "
      "hand.\n%zu operators, %d with a portable kernel.\n\n"
      "| operator | schema | traits | kernels | |\n|---|---|---|---|---|\n%s",
      sizeof(kRows) / sizeof(kRows[0]), with_kernel, table.c_str());
}

// The list's paragraphs: comment lines with a reason, then one case a line. False, with a message,
// where a case has no reason.
bool print_deviations(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "operators_page: cannot read %s\n", path);
    return false;
  }
  std::string reason;
  std::set<std::string> operators;
  const auto flush = [&] {
    std::string names;
    for (const std::string& name : operators) names += (names.empty() ? "`" : ", `") + name + "`";
    if (!operators.empty()) std::printf("- %s:%s\n", names.c_str(), reason.c_str());
    operators.clear();
  };
  std::printf(
      "\n## Where results differ from PyTorch\n\nFrom tests/conformance/known_failures.txt, which "
      "names the cases; all other cases of the corpus agree.\n\n");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("# ", 0) == 0) {
      if (!operators.empty()) {
        flush();
        reason.clear();
      }
      reason += line.substr(1);
    } else if (line.empty()) {
      flush();
      reason.clear();
    } else if (reason.empty()) {
      std::fprintf(stderr, "operators_page: %s has no reason\n", line.c_str());
      return false;
    } else {
      operators.insert(line.substr(0, line.find('#')));
    }
  }
  flush();
  return true;
}

}  // namespace
}  // namespace cresset

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: operators_page KNOWN_FAILURES\n");
    return 2;
  }
  cresset::print_page();
  return cresset::print_deviations(argv[1]) ? 0 : 1;
}
