// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/import.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "compiler/frontend/graph_reader.h"
#include "compiler/frontend/payloads.h"
#include "compiler/frontend/pt2_archive.h"
#include "compiler/frontend/signature_reader.h"
#include "compiler/frontend/tree_spec.h"

namespace cresset::frontend {

namespace {

// Majors 5 to 7 differ only in members that are looked for anyway.
constexpr int64_t kMinSchemaMajor = 5;
constexpr int64_t kMaxSchemaMajor = 8;
// Exporters write 2^63 - 2 for "no upper bound".
constexpr int64_t kUnboundedFrom = int64_t{1} << 62;

ir::Expected<std::string> choose_program(const Pt2Archive& archive, const std::string& wanted) {
  const std::vector<std::string>& programs = archive.programs();
  if (wanted.empty() && programs.size() == 1) {
    return programs.front();
  }
  if (std::find(programs.begin(), programs.end(), wanted) != programs.end()) {
    return wanted;
  }
  std::string list;
  for (const std::string& program : programs) {
    list += (list.empty() ? "" : ", ") + program;
  }
  return ir::error(Status::kInvalidArgument,
                   archive.name() +
                       (wanted.empty() ? " holds several programs; choose one of "
                                       : " has no program '" + wanted + "'; it has ") +
                       list);
}

void check_schema_version(const Json& root) {
  const Json version = root.field("schema_version");
  const int64_t major = version.field("major").as_int();
  if (version.ok() && (major < kMinSchemaMajor || major > kMaxSchemaMajor)) {
    version.fail("schema version " + std::to_string(major) +
                     " is not known; export with PyTorch 2.6 or a later release that is",
                 Status::kNotSupported);
  }
}

bool is_symbol(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A bound; absent, null and texts ("Infinity") are no bound.
int64_t read_bound(const Json& json, int64_t none) {
  return json.is_null() || json.is_text() ? none : json.as_int();
}

ir::Ranges read_ranges(const Json& root) {
  ir::Ranges ranges;
  const Json constraints = root.optional("range_constraints");
  if (constraints.is_null()) {
    return ranges;
  }
  constraints.each_member([&](std::string_view symbol, const Json& constraint) {
    if (!is_symbol(symbol)) {  // a derived dimension such as 2*s44, besides the entry for s44
      return;
    }
    ir::Range range;
    range.min = read_bound(constraint.optional("min_val"), INT64_MIN);
    range.max = read_bound(constraint.optional("max_val"), INT64_MAX);
    if (range.max >= kUnboundedFrom) {
      range.max = INT64_MAX;
    }
    if (range.min > range.max) {
      constraint.fail("an empty range");
    }
    ranges.emplace(symbol, range);
  });
  return ranges;
}

// The paths of inputs and outputs. A spec that cannot be read only costs the names.
struct Paths {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

Paths read_paths(const Json& graph_module, ir::Graph* graph) {
  Paths paths;
  const Json calls = graph_module.optional("module_call_graph");
  if (calls.is_null()) {
    return paths;
  }
  bool found = false;
  calls.each([&](const Json& call) {
    if (found || !call.field("fqn").as_text().empty()) {
      return;
    }
    found = true;
    const Json signature = call.optional("signature");
    if (signature.is_null()) {
      return;
    }
    graph->in_spec = signature.field("in_spec").as_text();
    graph->out_spec = signature.field("out_spec").as_text();
    std::vector<std::string> names;
    const Json arg_names = signature.optional("forward_arg_names");
    if (!arg_names.is_null()) {
      arg_names.each([&](const Json& name) { names.emplace_back(name.as_text()); });
    }
    if (ir::Expected<std::vector<std::string>> inputs = input_leaf_names(graph->in_spec, names);
        inputs.ok()) {
      paths.inputs = std::move(*inputs);
    }
    if (ir::Expected<std::vector<std::string>> outputs = output_leaf_names(graph->out_spec);
        outputs.ok()) {
      paths.outputs = std::move(*outputs);
    }
  });
  return paths;
}

ir::Expected<ImportedProgram> read_program(const Pt2Archive& archive, const std::string& name,
                                           const ImportOptions& options) {
  ir::Expected<SharedBytes> text = archive.program_json(name);
  if (!text.ok()) {
    return text.error();
  }
  ir::Expected<std::unique_ptr<JsonDocument>> parsed =
      JsonDocument::parse(text->text(), archive.name());
  if (!parsed.ok()) {
    return parsed.error();
  }
  JsonDocument& document = **parsed;
  const Json& root = document.root();
  check_schema_version(root);
  const Json graph_module = root.field("graph_module");
  const Json graph_json = graph_module.field("graph");
  const OpLookup ops(options.application_ops);
  if (ir::Error missing = ops.missing_operators(graph_json, archive.name())) {
    return missing;
  }
  if (!document.error().ok()) {
    return document.error();
  }
  ir::Expected<Payloads> payloads = Payloads::open(archive, name);
  if (!payloads.ok()) {
    return payloads.error();
  }

  // Strided weights are copied; far more bytes than the file has come from hostile strides only.
  constexpr uint64_t kAlwaysAllowedBytes = uint64_t{256} << 20;
  ConstantPool constants(4 * archive.size_bytes() + kAlwaysAllowedBytes);
  ReadContext context;
  context.ops = &ops;
  context.constants = &constants;

  ImportedProgram program;
  program.graph = std::make_shared<ir::Graph>();
  program.graph->ranges = read_ranges(root);
  const Paths paths = read_paths(graph_module, program.graph.get());
  GraphReader reader(&context, graph_json, program.graph.get());
  reader.read_types();
  const Json signature = graph_module.field("signature");
  SignatureReader signature_reader(signature, graph_json, &context, &*payloads, &reader,
                                   program.graph.get());
  signature_reader.read_inputs(paths.inputs);
  reader.read_nodes();
  signature_reader.read_outputs(paths.outputs);

  const Json torch_version = root.optional("torch_version");
  if (torch_version.is_text()) {
    program.torch_version = torch_version.as_text();
  }
  const Json verifiers = root.optional("verifiers");
  if (!verifiers.is_null()) {
    verifiers.each(
        [&](const Json& verifier) { program.functional |= verifier.as_text() == "ATEN"; });
  }
  if (!document.error().ok()) {
    return document.error();
  }
  return program;
}

ir::Expected<ImportedProgram> import_archive(ir::Expected<Pt2Archive> archive,
                                             const ImportOptions& options) {
  if (!archive.ok()) {
    return archive.error();
  }
  ir::Expected<std::string> name = choose_program(*archive, options.program);
  if (!name.ok()) {
    return name.error();
  }
  return read_program(*archive, *name, options);
}

// The standard library reports lack of memory by exceptions; they stop here.
template <class Read>
auto guarded(const std::string& name, Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return ir::error(Status::kMemoryAllocationFailed, name + ": not enough memory to read it");
  } catch (const std::exception& e) {
    return ir::error(Status::kInternal, name + ": " + e.what());
  }
}

}  // namespace

ir::Expected<ImportedProgram> import_program(const std::string& path,
                                             const ImportOptions& options) {
  return guarded(path, [&] { return import_archive(Pt2Archive::open(path), options); });
}

ir::Expected<ImportedProgram> import_program_bytes(std::string bytes, const std::string& name,
                                                   const ImportOptions& options) {
  return guarded(name, [&] {
    return import_archive(Pt2Archive::open(own_bytes(std::move(bytes)), name), options);
  });
}

ir::Expected<std::vector<std::string>> program_names(const std::string& path) {
  return guarded(path, [&]() -> ir::Expected<std::vector<std::string>> {
    ir::Expected<Pt2Archive> archive = Pt2Archive::open(path);
    if (!archive.ok()) {
      return archive.error();
    }
    return archive->programs();
  });
}

}  // namespace cresset::frontend
