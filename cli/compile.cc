// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "cli/compile_report.h"
#include "cli/flags.h"
#include "cli/json.h"
#include "cli/quantize_flags.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "compiler/ir/print.h"
#include "extensions/data/file_bytes.h"

namespace cresset::cli {
namespace {

struct Options {
  std::string model;
  std::string out;
  std::vector<std::string> methods;  // NAME=FILE.pt2
  std::string external_weights;
  std::string report;
  std::string emit_ops;
  std::vector<std::string> print_after;
  std::string stop_after;
  CompileFlags compile;
  OutputFlags output;
};

struct Summary {
  uint64_t operators = 0;  // calls
  uint64_t delegates = 0;
  std::map<std::string, uint64_t> kinds;
  uint64_t activations_bytes = 0;  // the largest of the methods
  uint64_t lower_bound_bytes = 0;
  uint64_t state_bytes = 0;
  uint64_t scratch_bytes = 0;
};

Summary summarize(const compiler::CompileResult& result) {
  Summary summary;
  for (const ir::Schedule& method : result.methods) {
    summary.delegates += method.delegates.size();
    for (const ir::Step& step : method.steps) {
      if (step.kind == ir::Step::Kind::kKernel) {
        ++summary.operators;
        ++summary.kinds[std::string(step.info->name)];
      }
    }
    for (size_t i = 0; i < method.arena_bytes.size(); ++i) {
      uint64_t& total = i == 0 ? summary.activations_bytes : summary.state_bytes;
      total = std::max(total, method.arena_bytes[i]);
    }
    summary.lower_bound_bytes = std::max(summary.lower_bound_bytes, method.lower_bound_bytes);
    summary.scratch_bytes = std::max(summary.scratch_bytes, method.scratch_bytes);
  }
  return summary;
}

// Who took how much, and why the rest is left.
void print_delegation(const std::vector<partitioner::MethodReport>& methods) {
  Table delegates("<>>>");
  delegates.add({"backend", "nodes", "blob bytes", "data bytes"});
  std::map<std::pair<std::string, std::string>, size_t> left;
  for (const partitioner::MethodReport& method : methods) {
    for (const partitioner::DelegateReport& delegate : method.delegates) {
      delegates.add({delegate.backend, std::to_string(delegate.node_count),
                     std::to_string(delegate.blob_bytes), std::to_string(delegate.data_bytes)});
    }
    for (const partitioner::NodeReport* node : method.left()) {
      ++left[{node->op, node->reason}];
    }
  }
  fmt::print("delegates\n{}", delegates.text("  "));
  Table reasons("><<");
  for (const auto& [what, count] : left) {
    reasons.add({std::to_string(count), what.first, what.second});
  }
  fmt::print("left\n{}", reasons.text("  "));
}

void print_summary(const Options& options, const std::string& out, double seconds,
                   const compiler::CompileResult& result) {
  const Summary summary = summarize(result);
  if (options.output.json) {
    Json kinds = Json::object();
    for (const auto& [name, count] : summary.kinds) {
      kinds.set(name, count);
    }
    Json stages = Json::object();
    for (const compiler::StageTime& stage : result.stages) {
      stages.set(stage.stage, stage.seconds);
    }
    fmt::print("{}\n", Json::object()
                           .set("output", out)
                           .set("operators", summary.operators)
                           .set("operator_counts", std::move(kinds))
                           .set("delegates", summary.delegates)
                           .set("file_bytes", static_cast<uint64_t>(result.program.size()))
                           .set("data_bytes", static_cast<uint64_t>(result.data.size()))
                           .set("constant_bytes", result.constant_bytes)
                           .set("arena_bytes", summary.activations_bytes)
                           .set("arena_lower_bound_bytes", summary.lower_bound_bytes)
                           .set("state_bytes", summary.state_bytes)
                           .set("scratch_bytes", summary.scratch_bytes)
                           .set("seconds", seconds)
                           .set("stage_seconds", std::move(stages))
                           .set("quantization", quantization_json(result.quantization))
                           .text());
    return;
  }
  fmt::print("{}: {} of {}, {}, file {}, arena {}{}, {}\n", out,
             count_text(summary.operators, "operator"), count_text(summary.kinds.size(), "kind"),
             count_text(summary.delegates, "delegate"), bytes_text(result.program.size()),
             bytes_text(summary.activations_bytes),
             summary.state_bytes == 0 ? "" : " and state " + bytes_text(summary.state_bytes),
             seconds_text(seconds));
  if (!result.data.empty()) {
    fmt::print("{}: external weights, {}\n", options.external_weights,
               bytes_text(result.data.size()));
  }
  fmt::print("{}", quantization_text(result.quantization, options.output.verbose));
  if (!options.output.verbose) {
    return;
  }
  Table stages("<>");
  for (const compiler::StageTime& stage : result.stages) {
    stages.add({stage.stage, seconds_text(stage.seconds)});
  }
  fmt::print("stages\n{}", stages.text("  "));
  Table memory("<>>>>");
  memory.add({"method", "arena bytes", "lower bound", "state", "scratch"});
  for (const ir::Schedule& method : result.methods) {
    const auto arena = [&](size_t i) {
      return std::to_string(i < method.arena_bytes.size() ? method.arena_bytes[i] : 0);
    };
    memory.add({method.name, arena(0), std::to_string(method.lower_bound_bytes), arena(1),
                std::to_string(method.scratch_bytes)});
  }
  fmt::print("memory\n{}", memory.text("  "));
  Table kinds("<>");
  for (const auto& [name, count] : summary.kinds) {
    kinds.add({name, std::to_string(count)});
  }
  fmt::print("operators\n{}", kinds.text("  "));
  if (options.compile.backends != "none") {
    print_delegation(result.delegation);
  }
}

// `file` is FILE.pt2 or FILE.pt2:PROGRAM.
compiler::MethodSource read_source(const std::string& method, const std::string& file) {
  const std::string extension = ".pt2:";
  const size_t at = file.rfind(extension);
  const size_t colon = at + extension.size() - 1;
  return at == std::string::npos
             ? compiler::MethodSource{method, file}
             : compiler::MethodSource{method, file.substr(0, colon), file.substr(colon + 1)};
}

Expected<std::vector<compiler::MethodSource>> sources(const Options& options) {
  std::vector<compiler::MethodSource> methods;
  if (!options.model.empty()) {
    auto whole = compiler::methods_of(options.model);
    if (!whole.ok()) {
      return whole.error();
    }
    methods = *std::move(whole);
  }
  for (const std::string& text : options.methods) {
    auto pair = split_assignment("--method", text);
    if (!pair.ok()) {
      return pair.error();
    }
    methods.push_back(read_source(pair->first, pair->second));
  }
  return methods;
}

std::string default_output(const std::string& model) {
  const size_t slash = model.find_last_of('/');
  const size_t dot = model.find_last_of('.');
  const bool has_extension =
      dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return (has_extension ? model.substr(0, dot) : model) + ".pte";
}

// Large blocks go back to the system as soon as they are freed: a compiler is judged by its peak.
void return_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

// All of them or none.
Error write_outputs(const Options& options, const std::string& out,
                    const compiler::CompileResult& result, ops::KernelTables kernels) {
  const std::string report = options.report.empty() ? "" : compile_report(options.report, result);
  const std::string ops = options.emit_ops.empty() ? "" : selected_ops(result, kernels);
  data::OutputFiles files;
  Error error;
  const auto add = [&](const std::string& path, const auto& bytes) {
    if (error.ok() && !path.empty()) {
      error = files.add(path, {{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}});
    }
  };
  add(options.external_weights, result.data);
  add(options.report, report);
  add(options.emit_ops, ops);
  add(out, result.program);
  return error.ok() ? files.put_in_place() : error;
}

// One name for each file, existing or not, however it is called.
std::string canonical(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? std::filesystem::weakly_canonical(path, failed).string() : real.string();
}

int run(const Options& options) {
  if (options.compile.quantize.scheme.empty()) {  // calibration runs the model: speed counts more
    return_freed_memory();
  }
  const auto start = std::chrono::steady_clock::now();
  if (options.model.empty() && options.methods.empty()) {
    return wrong_usage("nothing to compile: name a MODEL.pt2, or --method NAME=FILE.pt2");
  }
  std::set<std::string> names;
  for (const std::string& text : options.methods) {
    if (const std::string name = text.substr(0, text.find('=')); !names.insert(name).second) {
      return wrong_usage(fmt::format("--method {}: the method '{}' is named twice", text, name));
    }
  }
  const auto methods = sources(options);
  if (!methods.ok()) {
    return fail(methods.error());
  }
  auto compile = compile_options(options.compile);
  if (!compile.ok()) {
    return fail(compile.error());
  }
  const std::string out = options.out.empty() ? default_output((*methods)[0].path) : options.out;
  std::set<std::string> models;
  for (const compiler::MethodSource& method : *methods) {
    models.insert(canonical(method.path));
  }
  std::set<std::string> outputs;
  for (const std::string& path :
       {out, options.external_weights, options.report, options.emit_ops}) {
    if (path.empty()) {
      continue;
    }
    if (models.contains(canonical(path))) {
      return wrong_usage(path + ": is the model itself; name another file");
    }
    if (!outputs.insert(canonical(path)).second) {
      return wrong_usage(path + ": two outputs cannot go to one file");
    }
  }
  for (const std::string& stage : options.print_after) {
    if (const ir::Error unknown = compiler::check_stage(stage); unknown && stage != "all") {
      return wrong_usage("--print-after: " + unknown.text);
    }
  }
  if (!options.stop_after.empty()) {
    if (const ir::Error unknown = compiler::check_stage(options.stop_after)) {
      return wrong_usage("--stop-after: " + unknown.text);
    }
  }
  compile->external_constants = !options.external_weights.empty();
  compile->stop_after = options.stop_after;
  Progress progress(!options.output.quiet);
  compile->after_stage = [&](const std::string& stage, const ir::Graph& graph) {
    progress.show(fmt::format("{}: {}", graph.name, stage));
    for (const std::string& wanted : options.print_after) {
      if (wanted == stage || wanted == "all") {
        progress.show("");
        fmt::print("// after {}\n{}", stage, ir::print(graph));
      }
    }
  };
  const auto result = compiler::compile(*methods, *compile);
  progress.show("");
  if (!result.ok()) {
    return fail(result.error());
  }
  if (!options.stop_after.empty()) {
    return kDone;
  }
  for (const quantizer::Report& report : result->quantization) {
    for (const std::string& warning : report.warnings) {
      fmt::print(stderr, "cresset: warning: {}: {}\n", report.method, warning);
    }
  }
  if (const Error error = write_outputs(options, out, *result, compile->kernels); !error.ok()) {
    return fail(error);
  }
  if (!options.output.quiet) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    print_summary(options, out, seconds.count(), *result);
  }
  return kDone;
}

const VerbRegistration kCompile(
    {"compile", "Compile a model to a program file",
     "  cresset compile model.pt2\n"
     "  cresset compile model.pt2 -o out.pte --report report.html\n"
     "  cresset compile --method encode=encode.pt2 --method decode=decode.pt2 -o model.pte\n"
     "  cresset compile model.pt2 --max s0=512 --external-weights model.ptd\n"
     "  cresset compile model.pt2 --backend example --report report.html\n"
     "  cresset compile model.pt2 --stop-after decompose --print-after decompose",
     10, [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<Options>();
       app.add_option("MODEL", options->model, "What torch.export.save wrote")
           ->type_name("FILE.pt2");
       app.add_option("-o,--output", options->out,
                      "The program; default: the model's name with .pte")
           ->type_name("OUT.pte");
       app.add_option("--method", options->methods,
                      "A method of the program and its model (of a file with several: which); "
                      "repeated")
           ->check([](const std::string& text) {
             return split_assignment("--method", text).error().text;
           })
           ->type_name("NAME=FILE.pt2[:PROGRAM]")
           ->allow_extra_args(false);
       app.add_option("--external-weights", options->external_weights, "Constants go there")
           ->type_name("FILE.ptd");
       app.add_option("--report", options->report, "What became of every node")
           ->check(one_of_extensions({".html", ".json"}))
           ->type_name("FILE.html|.json");
       app.add_option("--emit-ops", options->emit_ops,
                      "The operators that the program needs, for a build with only those")
           ->type_name("FILE");
       app.add_option("--print-after", options->print_after,
                      "Print the graph after this stage (all: after each); repeated")
           ->type_name("STAGE")
           ->allow_extra_args(false);
       app.add_option("--stop-after", options->stop_after,
                      "Later stages do not run, nothing is written")
           ->type_name("STAGE");
       add_compile_flags(app, &options->compile);
       add_output_flags(app, &options->output);
       return [options] { return run(*options); };
     }});

}  // namespace
}  // namespace cresset::cli
