// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/event.h"
#include "core/parallel.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/file_loader.h"
#include "extensions/data/host_value.h"
#include "ops/kernel_table.h"
#include "runtime/backend.h"
#include "runtime/bundled_program.h"
#include "runtime/flat_tensor_map.h"
#include "runtime/method.h"
#include "runtime/program.h"

namespace cresset {

class SharedState;

// What a Module runs with. Kernels, backends, sink and loop runner outlive the module.
struct ModuleOptions {
  std::vector<ops::KernelTable> kernels;
  std::vector<Backend*> backends;
  EventSink* events = nullptr;
  ParallelFor* parallel = nullptr;
  std::vector<std::string> data_files;  // external weights (.ptd)
  uint64_t max_instructions = MethodOptions().max_instructions;
};

// A program on a host, with all the memory it needs.
//
//   ModuleOptions options;
//   options.kernels = {kernels::portable_kernels()};
//   auto module = Module::load("model.pte", options);
//   if (!module.ok()) { die(module.error().text); }
//   auto outputs = (*module)->forward({{x}});
//
// Methods are loaded when they are first used and keep their state from call to call. One thread at
// a time.
class Module {
 public:
  // Opens a program (.pte) or bundled program (.bpte). The file stays mapped.
  static Expected<std::unique_ptr<Module>> load(const std::string& path,
                                                const ModuleOptions& options);
  // The same from memory; `name` stands for the path in messages.
  static Expected<std::unique_ptr<Module>> from_bytes(data::FileBytes bytes,
                                                      const std::string& name,
                                                      const ModuleOptions& options);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const Program& program() const { return program_; }
  std::vector<std::string> method_names() const;
  bool has_method(const std::string& name) const { return program_.method_meta(name.c_str()).ok(); }

  // Runs a method on flattened inputs and gives copies of its flattened outputs.
  Expected<std::vector<data::HostValue>> run(const std::string& method,
                                             const std::vector<data::HostValue>& inputs);
  Expected<std::vector<data::HostValue>> forward(const std::vector<data::HostValue>& inputs) {
    return run("forward", inputs);
  }
  // Only the first half of run(), for callers that execute the method themselves: a method may
  // have given its inputs' memory to other values, so inputs are set before each call.
  Error set_inputs(const std::string& method, const std::vector<data::HostValue>& inputs);
  // What input `index` of the method holds now: differs from what was given where the program
  // writes to its inputs. The method must have been run.
  data::HostValue input_after(const std::string& method, size_t index);

  // The loaded method, for callers that want to avoid the copies of run().
  Expected<Method*> method(const std::string& name);
  // Gives a method's own state its initial values; all its memory is given back until it is used
  // again.
  void unload(const std::string& method);
  // The same for all methods and the state that they share.
  void reset();

  // Bytes of memory that a loaded method takes, by pool: "method arena", "planned buffer 0", ...
  struct Pool {
    std::string name;
    size_t bytes;
  };
  Expected<std::vector<Pool>> pools(const std::string& method);

 private:
  struct LoadedMethod;
  struct DataFile;

  Module(data::FileBytes bytes, std::string name, ModuleOptions options);
  Error open();
  Error open_data();
  Error load_method(const std::string& name, LoadedMethod& out);
  static bool is_input(const Method& method, size_t index);

  std::string name_;
  ModuleOptions options_;
  data::MappedLoader file_;
  std::unique_ptr<SliceLoader> slice_;  // the program of a bundle
  MessageBuffer<1024> message_;
  Program program_;
  std::vector<std::unique_ptr<DataFile>> data_files_;
  std::vector<const NamedDataMap*> data_maps_;
  std::unique_ptr<JoinedDataMap> data_;
  std::unique_ptr<SharedState> shared_;
  std::map<std::string, std::unique_ptr<LoadedMethod>> methods_;
};

}  // namespace cresset
