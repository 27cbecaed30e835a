// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>

#include <map>

#include "cli/describe.h"
#include "cli/text.h"
#include "compiler/frontend/import.h"
#include "compiler/ir/print.h"

namespace cresset::cli {
namespace {

struct Counts {
  std::map<std::string, size_t> operators;
  size_t nodes = 0;
};

void count_nodes(const ir::Graph& graph, Counts* counts);

void count_bodies(const ir::Argument& argument, Counts* counts) {
  if (argument.is_graph()) {
    count_nodes(*argument.graph(), counts);
  } else if (argument.is_list()) {
    for (const ir::Argument& item : argument.list()) {
      count_bodies(item, counts);
    }
  }
}

void count_nodes(const ir::Graph& graph, Counts* counts) {
  for (const auto& node : graph.nodes()) {
    const ops::OpInfo& op = node->info();
    ++counts->nodes;
    ++counts->operators[std::string(op.name) +
                        (op.overload.empty() ? "" : "." + std::string(op.overload))];
    for (const ir::Argument& argument : node->args()) {
      count_bodies(argument, counts);
    }
  }
}

std::string bound_text(int64_t bound) {
  return bound == INT64_MAX ? "unbounded" : std::to_string(bound);
}

// Adds what one program of the archive holds; `of` is " of NAME" where there are several.
void add_program(const ir::Graph& graph, const std::string& of, Description* out) {
  Counts counts;
  count_nodes(graph, &counts);
  uint64_t constant_bytes = 0;
  size_t constants = 0;
  for (const auto& value : graph.values()) {
    if (value->origin() == ir::Value::Origin::kConstant) {
      ++constants;
      constant_bytes += value->constant()->size_bytes;
    }
  }
  out->facts.emplace_back("nodes" + of, std::to_string(counts.nodes));
  out->facts.emplace_back("constants" + of,
                          fmt::format("{}, {}", constants, bytes_text(constant_bytes)));

  Description::Section io{"inputs and outputs" + of, "<<<", {{"value", "name", "type"}}};
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const ir::UserInput& input = graph.inputs[i];
    io.rows.push_back({fmt::format("input {}", i), input.name,
                       (input.value == nullptr ? std::string("fixed when exported")
                                               : ir::print(input.value->type)) +
                           (input.update == nullptr ? "" : ", written")});
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const ir::Argument& output = graph.outputs[i];
    io.rows.push_back({fmt::format("output {}", i),
                       i < graph.output_names.size() ? graph.output_names[i] : "",
                       output.is_value() ? ir::print(output.value()->type) : "constant"});
  }
  out->sections.push_back(std::move(io));

  Description::Section ranges{"dynamic dimensions" + of, "<>>", {{"symbol", "min", "max"}}};
  for (const auto& [symbol, range] : graph.ranges) {
    ranges.rows.push_back({symbol, std::to_string(range.min), bound_text(range.max)});
  }
  out->sections.push_back(std::move(ranges));

  Description::Section buffers{"state" + of, "<<", {{"buffer", "type"}}};
  for (const ir::Buffer& buffer : graph.buffers) {
    buffers.rows.push_back({buffer.name, ir::print(buffer.value->type)});
  }
  out->sections.push_back(std::move(buffers));

  Description::Section operators{"operators" + of, "<>", {{"operator", "calls"}}};
  for (const auto& [op, count] : counts.operators) {
    operators.rows.push_back({op, std::to_string(count)});
  }
  out->sections.push_back(std::move(operators));
}

// Calls f(name, program) for each program of the archive; the name is empty where there is only
// one.
template <class F>
ir::Error for_each_program(const std::string& path, F&& f) {
  const auto names = frontend::program_names(path);
  if (!names.ok()) {
    return names.error();
  }
  for (const std::string& name : *names) {
    frontend::ImportOptions options;
    options.program = name;
    const auto imported = frontend::import_program(path, options);
    if (!imported.ok()) {
      return imported.error();
    }
    f(names->size() == 1 ? std::string() : name, *imported);
  }
  return {};
}

}  // namespace

Expected<Description> describe_model(const std::string& path) {
  Description out;
  out.kind = "torch.export archive";
  const ir::Error failure = for_each_program(
      path, [&](const std::string& name, const frontend::ImportedProgram& program) {
        const std::string of = name.empty() ? "" : " of " + name;
        if (!program.torch_version.empty()) {
          out.facts.emplace_back("written by" + of, "torch " + program.torch_version);
        }
        add_program(*program.graph, of, &out);
      });
  if (failure) {
    return failure;
  }
  return out;
}

Expected<std::string> model_listing(const std::string& path) {
  std::string text;
  const ir::Error failure = for_each_program(
      path, [&](const std::string& name, const frontend::ImportedProgram& program) {
        if (!name.empty()) {
          program.graph->name = name;
        }
        text += ir::print(*program.graph);
      });
  if (failure) {
    return failure;
  }
  return text;
}

}  // namespace cresset::cli
