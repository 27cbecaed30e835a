// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/flags.h"

#include <fmt/ranges.h>

#include <charconv>
#include <set>

#include "backends/compilers.h"
#include "compiler/application_ops.h"
#include "compiler/targets/target.h"
#include "extensions/data/input.h"
#include "kernels/registry.h"

namespace cresset::cli {
using data::HostValue;

namespace {

// A dimension and its upper bound.
Expected<std::pair<std::string, int64_t>> read_bound(const std::string& text) {
  const auto pair = split_assignment("--max", text);
  if (!pair.ok()) {
    return pair.error();
  }
  int64_t bound = 0;
  const char* const end = pair->second.data() + pair->second.size();
  const auto [at, code] = std::from_chars(pair->second.data(), end, bound);
  if (code != std::errc() || at != end || bound < 0) {
    return invalid(fmt::format("--max {}: '{}' is not a natural number", text, pair->second));
  }
  return std::pair(pair->first, bound);
}

// What each option says by itself is sound; throws CLI::ValidationError where two contradict.
void check_together(const CLI::App& app, const CompileFlags& flags) {
  std::set<std::string> bounded;
  for (const std::string& text : flags.max) {
    if (const std::string name = read_bound(text)->first; !bounded.insert(name).second) {
      throw CLI::ValidationError("--max", fmt::format("'{}' is given twice", name));
    }
  }
  if (!flags.requantize.empty() && !targets::find_target(flags.target)->integer_rows) {
    throw CLI::ValidationError(
        "--requantize",
        fmt::format("programs for {} have no integer operators to requantize", flags.target));
  }
  check_quantize_flags(app, flags.quantize);
}

// How pictures become numbers, be they inputs of a call or calibration data.
void add_image_flags(CLI::App& app, data::ImageOptions* image) {
  app.add_option("--mean", image->mean, "Subtracted from pictures, after --scale")
      ->delimiter(',')
      ->type_name("R,G,B");
  app.add_option("--std", image->stddev, "Then divided by")->delimiter(',')->type_name("R,G,B");
  app.add_option("--scale", image->scale, "Multiplies the pixels 0..255 of pictures (1/255)")
      ->type_name("X");
  app.add_flag_callback(
      "--stretch", [image] { image->fit = data::Fit::kStretch; },
      "Fit pictures by changing their proportions, not by cutting");
}

}  // namespace

std::vector<CLI::Option*> add_compile_flags(CLI::App& app, CompileFlags* flags) {
  std::vector<CLI::Option*> added = {
      app.add_option("--target", flags->target, "Where the program will run: host, executorch, ...")
          ->check([](const std::string& name) { return targets::find_target(name).error().text; })
          ->type_name("T"),
      app.add_option("--max", flags->max,
                     "Upper bound of a dynamic dimension that the model leaves open; repeated")
          ->check([](const std::string& text) { return read_bound(text).error().text; })
          ->type_name("NAME=N")
          ->allow_extra_args(false),
      app.add_option("--backend", flags->backends, "Delegates in order of priority; none for none")
          ->check(
              [](const std::string& names) { return backends::find_compilers(names).error().text; })
          ->type_name("A,B"),
      app.add_flag("--strict", flags->strict,
                   "Anything left undelegated or unquantized is an error, with the reason"),
      app.add_option("--requantize", flags->requantize,
                     "How integer operators requantize; default: as the target wants it")
          ->check(CLI::IsMember({"float", "fixed", "narrow"}))
          ->type_name("FORM"),
      app.add_option("--ops", flags->ops_file, "Schemas of operators that the application brings")
          ->type_name("FILE.def"),
  };
  const std::vector<CLI::Option*> quantize = add_quantize_flags(app, &flags->quantize);
  added.insert(added.end(), quantize.begin(), quantize.end());
  add_image_flags(app, &flags->image);  // not among `added`: they mean something to programs, too
  app.parse_complete_callback([&app, flags] { check_together(app, *flags); });
  return added;
}

CLI::Validator one_of_extensions(std::vector<std::string> known) {
  return CLI::Validator(
      [known = std::move(known)](const std::string& path) {
        for (const std::string& extension : known) {
          if (path.size() > extension.size() &&
              path.compare(path.size() - extension.size(), extension.size(), extension) == 0) {
            return std::string();
          }
        }
        return fmt::format("{}: what to write is told by the extension: {}", path,
                           fmt::join(known, ", "));
      },
      "");
}

Expected<std::pair<std::string, std::string>> split_assignment(const std::string& option,
                                                               const std::string& text) {
  const size_t at = text.find('=');
  if (at == 0 || at == std::string::npos || at + 1 == text.size()) {
    return invalid(fmt::format("{} {}: NAME=VALUE is expected", option, text));
  }
  return std::pair(text.substr(0, at), text.substr(at + 1));
}

Expected<compiler::CompileOptions> compile_options(const CompileFlags& flags) {
  compiler::CompileOptions options;
  options.target = flags.target;
  options.kernels = kernels::host_kernels();
  for (const std::string& text : flags.max) {
    const Expected<std::pair<std::string, int64_t>> bound = read_bound(text);
    if (!bound.ok()) {
      return bound.error();
    }
    options.max.insert(*bound);
  }
  if (!flags.ops_file.empty()) {
    // Lives as long as the process: graphs point into it.
    static compiler::ApplicationOps application;
    ir::Expected<compiler::ApplicationOps> read = compiler::ApplicationOps::read(flags.ops_file);
    if (!read.ok()) {
      return read.error();
    }
    application = *read;
    options.application_ops = application.ops();
  }
  ir::Expected<partitioner::BackendCompilers> backends = backends::find_compilers(flags.backends);
  if (!backends.ok()) {
    return backends.error();
  }
  options.backends = *std::move(backends);
  options.strict = flags.strict;
  apply(flags.quantize, flags.image, flags.strict, &options);
  if (!flags.requantize.empty()) {
    options.requantization = flags.requantize == "fixed"    ? ops::Requantization::kFixed
                             : flags.requantize == "narrow" ? ops::Requantization::kNarrow
                                                            : ops::Requantization::kFloat;
  }
  return options;
}

void add_program_flags(CLI::App& app, ProgramFlags* flags) {
  app.add_option("PROGRAM", flags->path, "A .pte or .bpte, or a .pt2, which is compiled in memory")
      ->required();
  app.add_option("--method", flags->method, "Which method")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--data", flags->data_files, "External weights; repeated")
      ->type_name("FILE.ptd")
      ->allow_extra_args(false);
  app.add_option("--threads", flags->threads, "Threads; 0: one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  app.callback([flags, for_models = add_compile_flags(app, &flags->compile)] {
    for (const CLI::Option* option : for_models) {
      if (option->count() > 0 && is_program_file(flags->path)) {
        throw CLI::ValidationError(
            option->get_name(),
            flags->path + " is compiled already; this option is for models (.pt2)");
      }
    }
  });
}

Expected<std::unique_ptr<Session>> open_program(const ProgramFlags& flags, EventSink* events) {
  Expected<compiler::CompileOptions> compile = compile_options(flags.compile);
  if (!compile.ok()) {
    return compile.error();
  }
  SessionOptions options;
  options.compile = *std::move(compile);
  options.module.events = events;
  options.module.data_files = flags.data_files;
  options.threads = flags.threads;
  Expected<std::unique_ptr<Session>> session = Session::open(flags.path, options);
  if (session.ok() && !flags.method.empty() && !(*session)->module().has_method(flags.method)) {
    return Error{Status::kNotFound,
                 fmt::format("{}: no method '{}'; it has {}", flags.path, flags.method,
                             fmt::join((*session)->module().method_names(), ", "))};
  }
  return session;
}

void add_input_flag(CLI::App& app, std::vector<std::string>* inputs) {
  app.add_option("--input", *inputs,
                 "Next input: file.npy, file.npz[:key], file.safetensors[:key], file.png, file.jpg,"
                 " file.wav, or a literal: 3, 0.5, true, [1,2,3]:int64, zeros, random:SEED")
      ->type_name("V")
      ->allow_extra_args(false);
}

Expected<std::vector<HostValue>> read_inputs(const Module& module, const std::string& method,
                                             const std::vector<std::string>& given,
                                             const data::ImageOptions& image,
                                             const std::string& otherwise) {
  const auto meta = module.program().method_meta(method.c_str());
  const size_t count = meta->input_count();
  if (given.size() > count) {
    return invalid(
        fmt::format("method '{}' takes {} inputs, {} are given", method, count, given.size()));
  }
  std::vector<HostValue> values;
  for (size_t i = 0; i < count; ++i) {
    data::InputSpec spec;
    spec.kind = meta->input_kind(i);
    std::string wanted = kind_text(spec.kind);
    if (spec.kind == Value::Kind::kTensor) {
      const TensorInfo info = meta->input(i);
      spec.dtype = info.dtype;
      spec.sizes.assign(info.sizes.begin(), info.sizes.end());
      spec.dim_order.assign(info.dim_order.begin(), info.dim_order.end());
      wanted = data::describe(info.dtype, info.sizes, info.dim_order);
    }
    std::string text;
    if (i < given.size()) {
      text = given[i];
    } else if (spec.kind == Value::Kind::kTensor && !otherwise.empty()) {
      // Whole numbers are mostly indices, of which only 0 is sure to exist.
      text = is_floating(spec.dtype) ? otherwise : "zeros";
    } else if (spec.kind != Value::Kind::kTensor) {
      const Value fixed = meta->fixed_input(i);
      switch (fixed.kind()) {
        case Value::Kind::kInt:
          values.push_back({fixed.as_int()});
          break;
        case Value::Kind::kDouble:
          values.push_back({fixed.as_double()});
          break;
        case Value::Kind::kBool:
          values.push_back({fixed.as_bool()});
          break;
        default:
          values.push_back({});
          break;
      }
      continue;
    } else {
      return invalid(fmt::format(
          "input {} of '{}' is missing: {}; give it with --input (zeros and random:1 also do)", i,
          method, wanted));
    }
    Expected<HostValue> value = data::parse_input(text, spec, image);
    if (!value.ok()) {
      return invalid(fmt::format("input {} ({}): {}", i, wanted, value.error().text));
    }
    values.push_back(*std::move(value));
  }
  return values;
}

void add_output_flags(CLI::App& app, OutputFlags* flags) {
  app.add_flag("--json", flags->json, "Print JSON");
  app.add_flag("-v,--verbose", flags->verbose, "Print more");
  app.add_flag("-q,--quiet", flags->quiet, "Print only errors");
}

}  // namespace cresset::cli
