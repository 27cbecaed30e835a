// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/schedule.h"
#include "compiler/partitioner/backend_compiler.h"
#include "compiler/partitioner/report.h"
#include "compiler/quantizer/options.h"
#include "compiler/quantizer/report.h"
#include "ops/kernel_table.h"
#include "ops/multipliers.h"
#include "ops/op_info.h"

// From exported programs to a program file: the order of everything.
namespace cresset::compiler {

// One method of the program to be: its name, the .pt2 file it comes from, and which program of that
// file (empty: the only one).
struct MethodSource {
  std::string name = "forward";
  std::string path;
  std::string program = {};
};

// The methods that a whole file makes: its only program becomes `forward`; of several, each becomes
// a method of its own name.
ir::Expected<std::vector<MethodSource>> methods_of(const std::string& path);

struct CompileOptions {
  std::string target = "host";  // compiler/targets
  ops::KernelTables
      kernels;  // what the program will run on; also folds constants. Must outlive the call
  std::map<std::string, int64_t> max;       // upper bounds of symbols that the model leaves open
  Span<const ops::OpInfo> application_ops;  // that the application brings; outlive the call
  bool external_constants = false;          // constants go to CompileResult::data
  partitioner::BackendCompilers backends;   // in order of priority; outlive the call
  bool strict = false;                      // a node that is left over by all backends is an error
  std::optional<quantizer::Options> quantize;  // empty: as the model is
  // Calibration data for a method, whose graph is as the frontend made it, functional and
  // normalized. Asked where the scheme needs data; empty: there is none.
  std::function<ir::Expected<quantizer::Calibration>(const ir::Graph&)> calibrate;
  std::optional<ops::Requantization> requantization;  // of integer rows; empty: the target's
  ParallelFor* parallel = nullptr;  // for running the model while it is compiled; may be null
#ifdef NDEBUG
  bool verify = false;  // check the IR's rules after each pass
#else
  bool verify = true;
#endif
  std::string stop_after;  // name of a stage: later ones do not run; empty: all run
  // Called after each stage with the graph, for printing; may be empty. Stages: "import" and the
  // passes' names (compiler/passes/passes.def).
  std::function<void(const std::string& stage, const ir::Graph& graph)> after_stage;
};

struct StageTime {
  std::string stage;
  double seconds = 0;  // wall, summed over methods
};

// An operator between dequantize and quantize that stays in floats.
struct FloatNode {
  std::string node;  // "node 'conv2d_3' (aten::conv2d), model.py:12, ..."
  std::string why;   // may be empty
};

struct CompileResult {
  std::vector<uint8_t> program;                       // empty where stop_after stopped it
  std::vector<uint8_t> data;                          // a .ptd file, where constants are external
  std::vector<ir::Schedule> methods;                  // what became of each method
  std::vector<partitioner::MethodReport> delegation;  // which backend took what of each method
  std::vector<quantizer::Report> quantization;        // of each method; empty where not asked for
  std::vector<FloatNode> stays_float;  // operators beside quantized numbers without integer form
  std::vector<StageTime> stages;
  uint64_t constant_bytes = 0;
};

// Compiles the methods into one program. Methods share equal constants. Deterministic: the same
// files and options give the same bytes. Files are only read.
ir::Expected<CompileResult> compile(const std::vector<MethodSource>& methods,
                                    const CompileOptions& options);

// The same for graphs as the frontend makes them, each named after its method. They are changed.
ir::Expected<CompileResult> compile(std::vector<std::shared_ptr<ir::Graph>> graphs,
                                    const CompileOptions& options);

// An error that lists the known stages, unless `stage` is one of them.
ir::Error check_stage(const std::string& stage);

}  // namespace cresset::compiler
