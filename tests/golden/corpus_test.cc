// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/frontend/import.h"
#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"

namespace cresset::tests {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_models() {
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(CRESSET_CORPUS_DIR "/models", none)) {
    const fs::path model = entry.path() / "model.pt2";
    if (fs::exists(model)) {
      paths.push_back(model.string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Real graphs keep the IR's rules as they are imported, and their text reads back as the same text.
TEST(Corpus, ModelsKeepTheRulesAndReadBack) {
  ir::PrintOptions options;
  options.specs = true;
  options.inline_elements = 4;
  size_t read = 0;
  for (const std::string& path : corpus_models()) {
    const ir::Expected<frontend::ImportedProgram> program = frontend::import_program(path);
    if (!program.ok()) {
      continue;  // what the importer refuses is its own tests' concern
    }
    ++read;
    if (ir::Error e = ir::verify(*program->graph)) {
      ADD_FAILURE() << path << ": " << e.text;
      continue;
    }
    std::string text = ir::print(*program->graph, options);
    const ir::Expected<std::shared_ptr<ir::Graph>> again = ir::parse_graph(text);
    ASSERT_TRUE(again.ok()) << path << ": " << again.error().text;
    std::string text_again = ir::print(**again, options);
    // Data that the text leaves out is the only thing that may differ.
    for (std::string* t : {&text, &text_again}) {
      for (size_t at = t->find("digest("); at != std::string::npos;
           at = t->find("digest(", at + 1)) {
        t->replace(at + 7, 16, "");
      }
    }
    if (text != text_again) {
      const auto [a, b] =
          std::mismatch(text.begin(), text.end(), text_again.begin(), text_again.end());
      const size_t at = static_cast<size_t>(a - text.begin());
      ADD_FAILURE() << path << ": the text differs at:\n"
                    << text.substr(at < 80 ? 0 : at - 80, 200) << "\nand\n"
                    << text_again.substr(at < 80 ? 0 : at - 80, 200);
    }
  }
  if (read == 0) {
    GTEST_SKIP() << "no corpus in " CRESSET_CORPUS_DIR;
  }
}

struct NamedPass {
  const char* name;
  ir::Error (*run)(ir::Graph&, const passes::PassContext&);
};
constexpr NamedPass kPasses[] = {
#define PASS(name, summary) {#name, passes::name},
#include "compiler/passes/passes.def"
#undef PASS
};

// Every pass leaves real graphs that keep the IR's rules. Nothing is folded here: that needs
// kernels.
TEST(Corpus, PassesKeepTheRules) {
  const passes::PassContext context;
  size_t read = 0, complete = 0;
  for (const std::string& path : corpus_models()) {
    ir::Expected<frontend::ImportedProgram> program = frontend::import_program(path);
    if (!program.ok()) {
      continue;
    }
    ++read;
    ir::VerifyOptions options;
    for (const NamedPass& pass : kPasses) {
      if (ir::Error e = pass.run(*program->graph, context)) {
        break;  // what has no decomposition yet is the sweep's concern
      }
      complete += &pass == std::end(kPasses) - 1;
      const std::string name = pass.name;
      options.functional = options.functional || name == "functionalize";
      options.rows_only = options.rows_only || name == "decompose";
      if (ir::Error e = ir::verify(*program->graph, options)) {
        ADD_FAILURE() << path << ", after " << name << ": " << e.text;
        break;
      }
    }
  }
  if (read == 0) {
    GTEST_SKIP() << "no corpus in " CRESSET_CORPUS_DIR;
  }
  RecordProperty("complete", static_cast<int>(complete));
  EXPECT_GT(complete * 10, read * 9) << complete << " of " << read;
}

}  // namespace
}  // namespace cresset::tests
