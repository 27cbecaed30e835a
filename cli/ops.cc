// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

#include "backends/compilers.h"
#include "cli/flags.h"
#include "cli/json.h"
#include "cli/kernel_libraries.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "ops/op.h"

namespace cresset::cli {
namespace {

struct Options {
  std::string pattern;
  OutputFlags output;
};

bool matches(const std::string& pattern, const std::string& name) {
  return pattern.empty() || name.find(pattern) != std::string::npos ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// Who computes the operator: kernel libraries, in the order of search, then backends.
std::string computed_by(const ops::OpInfo& op) {
  std::vector<std::string> who = kernel_libraries(op);
  if (who.empty()) {
    who.push_back(op.composite ? "decomposed" : "no kernel");
  }
  for (const partitioner::BackendCompiler* backend : backends::compilers()) {
    const auto rows = backend->supported();
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.op == op.op; })) {
      who.push_back("backend " + backend->name());
    }
  }
  return fmt::format("{}", fmt::join(who, ", "));
}

std::string type_text(const ops::SchemaArg& arg) {
  constexpr const char* kTypes[] = {"Tensor", "Scalar",       "int",        "float",
                                    "bool",   "str",          "ScalarType", "Layout",
                                    "Device", "MemoryFormat", "Generator",  "Graph"};
  std::string text = kTypes[static_cast<size_t>(arg.type)];
  if (arg.writes) {
    text += "(a!)";
  }
  if (arg.list) {
    text += arg.optional_items ? "?[" : "[";
    text += (arg.list_length > 0 ? std::to_string(arg.list_length) : "") + "]";
  }
  return text + (arg.optional ? "?" : "");
}

std::string schema_text(const ops::OpInfo& op) {
  std::string text =
      std::string(op.name) + (op.overload.empty() ? "" : "." + std::string(op.overload)) + "(";
  bool keyword_only = false;
  for (size_t i = 0; i < op.schema.arg_count; ++i) {
    const ops::SchemaArg& arg = op.schema.args[i];
    text += i == 0 ? "" : ", ";
    if (arg.keyword_only && !keyword_only) {
      text += "*, ";
      keyword_only = true;
    }
    text += type_text(arg) + " " + std::string(arg.name);
    if (!arg.default_text.empty()) {
      text += "=" + std::string(arg.default_text);
    }
  }
  text += ") -> ";
  std::string results;
  for (size_t i = 0; i < op.schema.return_count; ++i) {
    results += (i == 0 ? "" : ", ") + type_text(op.schema.returns[i]);
  }
  return text + (op.schema.return_count == 1 ? results : "(" + results + ")");
}

int run(const Options& options) {
  Json json = Json::array();
  Table table("<<");
  size_t count = 0;
  for (const ops::OpInfo& op : ops::all_ops()) {
    const std::string schema = schema_text(op);
    if (!matches(options.pattern, schema.substr(0, schema.find('(')))) {
      continue;
    }
    ++count;
    const std::string by = computed_by(op);
    if (options.output.json) {
      json.push(Json::object()
                    .set("name", std::string(op.name))
                    .set("overload", std::string(op.overload))
                    .set("schema", schema)
                    .set("computed_by", by)
                    .set("doc", std::string(op.doc)));
    } else {
      table.add({by, schema});
      if (options.output.verbose) {
        table.add({"", "  " + std::string(op.doc)});
      }
    }
  }
  if (options.output.json) {
    fmt::print("{}\n", json.text());
  } else {
    fmt::print("{}{}\n", table.text(), count_text(count, "operator"));
  }
  return count > 0 || options.pattern.empty() ? kDone
                                              : fail("no operator matches " + options.pattern);
}

const VerbRegistration kOps({"ops", "List the operators",
                             "  cresset ops\n"
                             "  cresset ops conv\n"
                             "  cresset ops 'aten::*softmax*' --json",
                             50, [](CLI::App& app) -> std::function<int()> {
                               auto options = std::make_shared<Options>();
                               app.add_option("PATTERN", options->pattern,
                                              "Part of a name, or a name with * and ?");
                               add_output_flags(app, &options->output);
                               return [options] { return run(*options); };
                             }});

}  // namespace
}  // namespace cresset::cli
