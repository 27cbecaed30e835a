// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/pipeline.h"

#include <chrono>
#include <set>

#include "compiler/emitter/emitter.h"
#include "compiler/eval/eval.h"
#include "compiler/frontend/import.h"
#include "compiler/ir/verify.h"
#include "compiler/partitioner/partition.h"
#include "compiler/passes/linearize.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/plan_memory.h"
#include "compiler/passes/share_state.h"
#include "compiler/quantizer/quantizer.h"
#include "compiler/targets/target.h"

namespace cresset::compiler {

namespace {

using passes::PassContext;
using Pass = ir::Error (*)(ir::Graph&, const PassContext&);

struct NamedPass {
  const char* name;
  Pass run;  // null: what is no pass, but a room's work (Pipeline::run_room)
};

constexpr std::string_view kQuantize = "quantize";
constexpr std::string_view kPartition = "partition";

// The order of everything.
constexpr NamedPass kPasses[] = {
    // On the operators as the user wrote them, before any is rewritten.
    {"refuse_training", passes::refuse_training},
    // First of those that rewrite, for every later pass may then move and drop nodes as their uses
    // say.
    {"functionalize", passes::functionalize},
    // One spelling for each operation: partitioners and decompositions match fewer forms.
    {"normalize", passes::normalize},
    // Weights and statistics that come through casts, transpositions or norms are constants for all
    // that follows.
    {"fold_parameters", passes::fold_parameters},
    // On whole convolutions, so that partitioners and quantizers find no norms.
    {"fold_batch_norm", passes::fold_batch_norm},
    // Convolutions have their norms inside, and composites are still one node: rules are few.
    {kQuantize.data(), nullptr},
    // Before backends choose, for integer rows are what they take.
    {"fuse_integer_ops", passes::fuse_integer_ops},
    {"fix_requantization", passes::fix_requantization},
    // Backends choose while composites (attention, lstm, gelu ...) are still one node.
    {kPartition.data(), nullptr},
    {"decompose", passes::decompose},
    // Decompositions leave constants and views behind.
    {"fold_constants", passes::fold_constants},
    {"eliminate_views", passes::eliminate_views},
    {"eliminate_common_subexpressions", passes::eliminate_common_subexpressions},
    {"eliminate_dead_code", passes::eliminate_dead_code},
    // Last, when the graph has its final nodes.
    {"assign_dim_orders", passes::assign_dim_orders},
};

// Measures stages, tells the caller about them, and knows where to stop.
class Stages {
 public:
  explicit Stages(const CompileOptions& options, std::vector<StageTime>* times)
      : options_(options), times_(*times) {}

  template <class F>
  auto run(const std::string& stage, F&& f) {
    const auto start = std::chrono::steady_clock::now();
    auto result = f();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (StageTime& time : times_) {
      if (time.stage == stage) {
        time.seconds += seconds.count();
        return result;
      }
    }
    times_.push_back({stage, seconds.count()});
    return result;
  }

  // Whether the pipeline ends here.
  bool done(const std::string& stage, const ir::Graph& graph) const {
    if (options_.after_stage) {
      options_.after_stage(stage, graph);
    }
    return options_.stop_after == stage;
  }

 private:
  const CompileOptions& options_;
  std::vector<StageTime>& times_;
};

// Bounds that the user gives for symbols that the model leaves open.
ir::Error apply_bounds(ir::Graph* graph, const std::map<std::string, int64_t>& bounds) {
  for (const auto& [name, bound] : bounds) {
    const auto found = graph->ranges.find(name);
    if (found == graph->ranges.end()) {
      std::string known;
      for (const auto& [symbol, range] : graph->ranges) {
        known += (known.empty() ? "" : ", ") + symbol;
      }
      return ir::error(Status::kInvalidArgument, "--max " + name + ": '" + graph->name +
                                                     "' has no such dimension; it has " +
                                                     (known.empty() ? "none" : known));
    }
    if (bound < found->second.min) {
      return ir::error(Status::kInvalidArgument, "--max " + name + "=" + std::to_string(bound) +
                                                     " is below its minimum " +
                                                     std::to_string(found->second.min));
    }
    found->second.max = std::min(found->second.max, bound);
  }
  return {};
}

PassContext context_for(const targets::Target& target, const CompileOptions& options) {
  PassContext context;
  context.has_kernel = [&](const ir::Node& node) {
    return targets::why_not(target, options.kernels, node).empty();
  };
  context.why_not = [&](const ir::Node& node) {
    return targets::why_not(target, options.kernels, node);
  };
  context.has_integer_rows = target.integer_rows;
  context.requantization = options.requantization.value_or(target.requantization);
  context.takes_any_order = [&](const ir::Node& node) {
    return targets::takes_any_order(target, node);
  };
  context.evaluate = [&](const ir::Node& node) -> ir::Expected<std::vector<ir::ConstantPtr>> {
    ir::Expected<std::vector<eval::Datum>> results = eval::evaluate_node(node, options.kernels);
    if (!results.ok()) {
      return results.error();
    }
    std::vector<ir::ConstantPtr> constants;
    for (const eval::Datum& result : *results) {
      if (eval::tensor_of(result) == nullptr) {
        return ir::not_supported("a number is not a constant tensor");
      }
      constants.push_back(eval::tensor_of(result));
    }
    return constants;
  };
  return context;
}

// One compile() call: every stage runs over all methods before the next begins.
class Pipeline {
 public:
  Pipeline(const targets::Target& target, const CompileOptions& options)
      : target_(target),
        options_(options),
        stages_(options, &result_.stages),
        context_(context_for(target_, options)) {
    context_.stays_float = [this](const ir::Node& node, const std::string& why) {
      result_.stays_float.push_back({ir::describe(node), why});
    };
  }

  ir::Error import(const std::vector<MethodSource>& methods) {
    for (const MethodSource& method : methods) {
      frontend::ImportOptions import;
      import.program = method.program;
      import.application_ops = options_.application_ops;
      ir::Expected<frontend::ImportedProgram> imported =
          stages_.run("import", [&] { return frontend::import_program(method.path, import); });
      if (!imported.ok()) {
        return imported.error();
      }
      imported->graph->name = method.name;
      if (ir::Error failure = take(imported->graph)) {
        return failure;
      }
    }
    return {};
  }

  // A graph as the frontend leaves it.
  ir::Error take(std::shared_ptr<ir::Graph> graph) {
    if (!names_.insert(graph->name).second) {
      return ir::error(Status::kInvalidArgument,
                       "two methods are named '" + graph->name + "'; names must differ");
    }
    if (ir::Error failure = apply_bounds(graph.get(), options_.max)) {
      return failure;
    }
    stopped_ = stages_.done("import", *graph);
    graphs_.push_back(std::move(graph));
    return {};
  }

  ir::Expected<CompileResult> run() {
    for (const NamedPass& pass : kPasses) {
      if (stopped_) {
        break;
      }
      if (ir::Error failure = run_pass(pass)) {
        return failure;
      }
      // Before anything is folded: shared state is not constant, though some methods only read it.
      if (pass.run == passes::functionalize && graphs_.size() > 1) {
        if (ir::Error failure = passes::find_shared_state(graphs_)) {
          return failure;
        }
        if (ir::Error failure = refuse_shared_state()) {
          return failure;
        }
      }
    }
    if (!stopped_) {
      if (ir::Error failure = schedule()) {
        return failure;
      }
      if (ir::Error failure = emit()) {
        return failure;
      }
    }
    return std::move(result_);
  }

 private:
  ir::Error refuse_shared_state() const {
    for (const auto& graph : graphs_) {
      for (const ir::Buffer& buffer : graph->buffers) {
        if (buffer.shared && !target_.shares_state) {
          return ir::not_supported(
              "methods share the state '" + buffer.name + "', but target " + target_.name +
              " gives every method memory of its own; make one method of them");
        }
      }
    }
    return {};
  }

  ir::Error run_pass(const NamedPass& pass) {
    for (const auto& graph : graphs_) {
      const auto run = [&] {
        return pass.run == nullptr ? run_room(pass.name, *graph) : pass.run(*graph, context_);
      };
      if (ir::Error failure = stages_.run(pass.name, run)) {
        return failure;
      }
      if (options_.verify) {
        if (ir::Error broken = ir::verify(*graph)) {
          return ir::error(Status::kInternal,
                           std::string("after ") + pass.name + ": " + broken.text);
        }
      }
      stopped_ = stages_.done(pass.name, *graph);
    }
    return {};
  }

  ir::Error run_room(std::string_view stage, ir::Graph& graph) {
    return stage == kQuantize ? quantize(graph) : partition(graph);
  }

  ir::Error quantize(ir::Graph& graph) {
    if (!options_.quantize) {
      return {};
    }
    quantizer::Calibration calibration;
    if (options_.calibrate) {
      ir::Expected<quantizer::Calibration> data = options_.calibrate(graph);
      if (!data.ok()) {
        return data.error();
      }
      calibration = std::move(*data);
    }
    ir::Expected<targets::Target> host = targets::find_target("host");
    if (!host.ok()) {
      return host.error();
    }
    const PassContext context = context_for(*host, options_);
    quantizer::Context quantizing;
    quantizing.kernels = options_.kernels;
    quantizing.parallel = options_.parallel;
    quantizing.lower = [&](ir::Graph& copy) { return lower(copy, context); };
    ir::Expected<quantizer::Report> report =
        quantizer::quantize(graph, *options_.quantize, calibration, quantizing);
    if (!report.ok()) {
      return report.error();
    }
    result_.quantization.push_back(std::move(*report));
    return {};
  }

  // The passes behind quantization on a copy that is to run here.
  static ir::Error lower(ir::Graph& copy, const PassContext& context) {
    bool behind = false;
    for (const NamedPass& pass : kPasses) {
      if (behind && pass.run != nullptr && pass.run != passes::assign_dim_orders) {
        if (ir::Error failure = pass.run(copy, context)) {
          return failure;
        }
      }
      behind = behind || pass.name == kQuantize;
    }
    return {};
  }

  ir::Error partition(ir::Graph& graph) {
    ir::Expected<partitioner::MethodReport> report = partitioner::partition(
        graph, options_.backends, options_.strict && !options_.backends.empty());
    if (!report.ok()) {
      return report.error();
    }
    result_.delegation.push_back(std::move(*report));
    return {};
  }

  ir::Error schedule() {
    passes::LinearizeOptions linearize;
    linearize.in_place = target_.in_place;
    for (const auto& graph : graphs_) {
      ir::Expected<ir::Schedule> schedule =
          stages_.run("linearize", [&] { return passes::linearize(*graph, linearize); });
      if (!schedule.ok()) {
        return schedule.error();
      }
      result_.methods.push_back(std::move(*schedule));
    }
    passes::place_shared_state(&result_.methods);
    for (ir::Schedule& method : result_.methods) {
      if (ir::Error failure = stages_.run(
              "plan_memory", [&] { return passes::plan_memory(&method, options_.kernels); })) {
        return failure;
      }
    }
    return {};
  }

  ir::Error emit() {
    emitter::EmitOptions emit;
    emit.zero_state_is_implied = target_.zero_state_is_implied;
    emit.external_constants = options_.external_constants;
    ir::Expected<emitter::EmittedFiles> files =
        stages_.run("emit", [&] { return emitter::emit(result_.methods, emit); });
    if (!files.ok()) {
      return files.error();
    }
    result_.program = std::move(files->program);
    result_.data = std::move(files->data);
    result_.constant_bytes = files->constant_bytes;
    return {};
  }

  const targets::Target& target_;
  const CompileOptions& options_;
  CompileResult result_;
  Stages stages_;
  PassContext context_;
  std::vector<std::shared_ptr<ir::Graph>> graphs_;
  std::set<std::string> names_;
  bool stopped_ = false;
};

// Runs the pipeline on what `start` gives it.
template <class Start>
ir::Expected<CompileResult> run_pipeline(const CompileOptions& options, Start&& start) {
  ir::Expected<targets::Target> target = targets::find_target(options.target);
  if (!target.ok()) {
    return target.error();
  }
  if (!options.stop_after.empty()) {
    if (ir::Error unknown = check_stage(options.stop_after)) {
      return unknown;
    }
  }
  Pipeline pipeline(*target, options);
  if (ir::Error failure = start(&pipeline)) {
    return failure;
  }
  return pipeline.run();
}

}  // namespace

ir::Expected<std::vector<MethodSource>> methods_of(const std::string& path) {
  ir::Expected<std::vector<std::string>> programs = frontend::program_names(path);
  if (!programs.ok()) {
    return programs.error();
  }
  if (programs->size() == 1) {
    return std::vector<MethodSource>{{"forward", path}};
  }
  std::vector<MethodSource> methods;
  for (std::string& program : *programs) {
    methods.push_back({program, path, program});
  }
  return methods;
}

ir::Error check_stage(const std::string& stage) {
  std::string known = "import";
  bool found = stage == known;
  for (const NamedPass& pass : kPasses) {
    found = found || stage == pass.name;
    known += std::string(", ") + pass.name;
  }
  return found ? ir::Error{}
               : ir::error(Status::kInvalidArgument,
                           "unknown stage '" + stage + "'; known: " + known);
}

ir::Expected<CompileResult> compile(const std::vector<MethodSource>& methods,
                                    const CompileOptions& options) {
  return run_pipeline(options, [&](Pipeline* pipeline) { return pipeline->import(methods); });
}

ir::Expected<CompileResult> compile(std::vector<std::shared_ptr<ir::Graph>> graphs,
                                    const CompileOptions& options) {
  return run_pipeline(options, [&](Pipeline* pipeline) {
    for (std::shared_ptr<ir::Graph>& graph : graphs) {
      if (ir::Error failure = pipeline->take(std::move(graph))) {
        return failure;
      }
    }
    return ir::Error();
  });
}

}  // namespace cresset::compiler
