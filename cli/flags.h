// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/quantize_flags.h"
#include "core/error.h"
#include "extensions/data/image.h"
#include "extensions/session/session.h"

namespace cresset::cli {

// Options that mean the same wherever they apply.

// How a model becomes a program.
struct CompileFlags {
  std::string target = "host";
  std::vector<std::string> max;  // NAME=N
  std::string backends = "none";
  bool strict = false;
  std::string requantize;  // empty: as the target says
  std::string ops_file;
  QuantizeFlags quantize;
  data::ImageOptions image;  // how pictures become numbers, as inputs and for calibration
};
// Returns the options that it added that mean nothing to a program.
std::vector<CLI::Option*> add_compile_flags(CLI::App& app, CompileFlags* flags);
// The options for the compiler; kernels are those of hosts.
Expected<compiler::CompileOptions> compile_options(const CompileFlags& flags);

// A program to run: what to open, and with what.
struct ProgramFlags {
  std::string path;
  std::string method = "forward";  // empty: any
  std::vector<std::string> data_files;
  int threads = 0;
  CompileFlags compile;
};
// Options for the compiler are wrong usage where the program is compiled already.
void add_program_flags(CLI::App& app, ProgramFlags* flags);
// `events` may be null; it outlives the session.
Expected<std::unique_ptr<Session>> open_program(const ProgramFlags& flags, EventSink* events);

// Inputs of one call, as --input names them.
void add_input_flag(CLI::App& app, std::vector<std::string>* inputs);
// The inputs of `method` as `given` names them. Numbers that the model was exported with need not
// be given where all of the others are. With `otherwise`, missing inputs are what that text means
// ("zeros", say); without it they are errors.
Expected<std::vector<data::HostValue>> read_inputs(const Module& module, const std::string& method,
                                                   const std::vector<std::string>& given,
                                                   const data::ImageOptions& image,
                                                   const std::string& otherwise);

struct OutputFlags {
  bool json = false;
  bool verbose = false;
  bool quiet = false;
};
void add_output_flags(CLI::App& app, OutputFlags* flags);

// For options that name a file to write: its extension says what is written, so one that is none of
// `known` (".json", ...) is wrong usage.
CLI::Validator one_of_extensions(std::vector<std::string> known);

// "name=value" taken apart; an error where there is no '='.
Expected<std::pair<std::string, std::string>> split_assignment(const std::string& option,
                                                               const std::string& text);

}  // namespace cresset::cli
