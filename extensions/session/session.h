// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/pipeline.h"
#include "core/error.h"
#include "extensions/data/host_value.h"
#include "extensions/module/module.h"

namespace cresset {

// How a model is compiled and run. What has no default of its own means what it means there.
struct SessionOptions {
  compiler::CompileOptions compile;  // `kernels` is ignored: what runs the program also folds it
  ModuleOptions module;              // `kernels` empty: those of hosts; `backends` empty: all
  int threads = 0;                   // 0: one per core; ignored where module.parallel is set
};

// A model on a host, from whichever file it lies in: a .pt2 as torch.export.save writes it,
// compiled in memory, or a program (.pte, .bpte).
//
//   auto session = Session::open("model.pt2");
//   if (!session.ok()) { die(session.error().text); }
//   auto outputs = (*session)->forward({{x}});
//
// Inputs and outputs are flattened as torch.export flattens them. State lasts from call to call.
// One thread at a time.
class Session {
 public:
  // The file's kind is told by its content. A .pt2 of several programs has a method for each, by
  // its name.
  static Expected<std::unique_ptr<Session>> open(const std::string& path,
                                                 const SessionOptions& options = {});
  // A program of several methods, each from a .pt2 of its own.
  static Expected<std::unique_ptr<Session>> open(const std::vector<compiler::MethodSource>& methods,
                                                 const SessionOptions& options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Expected<std::vector<data::HostValue>> forward(const std::vector<data::HostValue>& inputs) {
    return module_->forward(inputs);
  }
  Expected<std::vector<data::HostValue>> run(const std::string& method,
                                             const std::vector<data::HostValue>& inputs) {
    return module_->run(method, inputs);
  }

  Module& module() { return *module_; }
  // What the compiler says about the model; null where the file was a program. Without the program
  // itself: that is program_bytes().
  const compiler::CompileResult* compiled() const { return compiled_.get(); }
  Span<const uint8_t> program_bytes() const { return program_.bytes(); }

 private:
  Session();
  static ModuleOptions module_options(Session& session, const SessionOptions& options);

  std::unique_ptr<ParallelFor, void (*)(ParallelFor*)> pool_;
  std::unique_ptr<compiler::CompileResult> compiled_;
  data::FileBytes program_;
  std::unique_ptr<Module> module_;
};

// Whether a file is a program or a bundled program, by how it begins or else by its name. False
// where it cannot be read.
bool is_program_file(const std::string& path);

}  // namespace cresset
