// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "cli/flags.h"
#include "cli/json.h"
#include "cli/verb.h"
#include "devtools/etdump_recorder.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/npy.h"
#include "extensions/data/safetensors.h"

namespace cresset::cli {
namespace {
using data::HostTensor;
using data::HostValue;

constexpr size_t kShownElements = 12;
constexpr size_t kTop = 5;
constexpr int kBarWidth = 30;

struct Options {
  ProgramFlags program;
  std::vector<std::string> inputs;
  OutputFlags output;
  std::string out;
  std::string labels;
  std::string trace;
};

Expected<std::vector<std::string>> read_labels(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    return Error{Status::kNotFound, path + ": cannot open: " + std::strerror(errno)};
  }
  std::vector<std::string> labels;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    labels.push_back(line);
  }
  if (labels.empty()) {
    return invalid(path + ": no labels, one a line are expected");
  }
  return labels;
}

struct Guess {
  size_t index;
  double probability;
};

// The likeliest classes of the first output that has a score for each label. Scores that are not
// probabilities already go through a softmax.
std::optional<std::vector<Guess>> top_guesses(const std::vector<HostValue>& outputs,
                                              size_t label_count) {
  for (const HostValue& output : outputs) {
    const auto* tensor = output.get<HostTensor>();
    if (tensor == nullptr || static_cast<size_t>(tensor->numel()) != label_count ||
        !(is_floating(tensor->dtype()) || is_integral(tensor->dtype()))) {
      continue;
    }
    const HostTensor scores = tensor->converted(DType::kFloat64);
    std::vector<double> values(scores.data<double>(), scores.data<double>() + label_count);
    double sum = 0;
    bool probabilities = true;
    for (const double value : values) {
      sum += value;
      probabilities = probabilities && value >= 0 && value <= 1;
    }
    if (!probabilities || std::abs(sum - 1) > 1e-2) {
      const double largest = *std::max_element(values.begin(), values.end());
      sum = 0;
      for (double& value : values) {
        value = std::exp(value - largest);
        sum += value;
      }
      for (double& value : values) {
        value /= sum;
      }
    }
    std::vector<Guess> guesses;
    for (size_t i = 0; i < values.size(); ++i) {
      guesses.push_back({i, values[i]});
    }
    const size_t count = std::min(kTop, guesses.size());
    std::partial_sort(guesses.begin(), guesses.begin() + static_cast<std::ptrdiff_t>(count),
                      guesses.end(), [](const Guess& a, const Guess& b) {
                        return a.probability > b.probability ||
                               (a.probability == b.probability && a.index < b.index);
                      });
    guesses.resize(count);
    return guesses;
  }
  return std::nullopt;
}

std::string bar(double share) {
  std::string text;
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kBarWidth * 8));
  for (int i = 0; i < eighths / 8; ++i) {
    text += "\u2588";
  }
  constexpr const char* kParts[] = {"",       "\u258f", "\u258e", "\u258d",
                                    "\u258c", "\u258b", "\u258a", "\u2589"};
  return text + kParts[eighths % 8];
}

Json to_json(const HostValue& value) {
  if (const auto* tensor = value.get<HostTensor>()) {
    Json json = Json::object();
    Json elements = Json::array();
    std::vector<uint8_t> bytes(tensor->size_bytes());
    tensor->copy_row_major(bytes);
    if (is_floating(tensor->dtype())) {
      const HostTensor wide = tensor->converted(DType::kFloat64);
      std::vector<uint8_t> ordered(wide.size_bytes());
      wide.copy_row_major(ordered);
      for (int64_t i = 0; i < wide.numel(); ++i) {
        double element;
        std::memcpy(&element, ordered.data() + i * 8, 8);
        elements.push(element);
      }
    } else if (is_integral(tensor->dtype()) && tensor->dtype() != DType::kBool) {
      for (int64_t i = 0; i < tensor->numel(); ++i) {
        elements.push(Json::number(data::element_text(tensor->dtype(), bytes, i)));
      }
    } else {
      for (int64_t i = 0; i < tensor->numel(); ++i) {
        elements.push(data::element_text(tensor->dtype(), bytes, i));
      }
    }
    json.set("dtype", dtype_text(tensor->dtype()));
    json.set("shape", Json::array_of(tensor->sizes()));
    json.set("dim_order", Json::array_of(tensor->dim_order()));
    json.set("values", std::move(elements));
    return json;
  }
  if (const auto* flag = value.get<bool>()) {
    return *flag;
  }
  if (const auto* integer = value.get<int64_t>()) {
    return *integer;
  }
  if (const auto* real = value.get<double>()) {
    return *real;
  }
  if (const auto* text = value.get<std::string>()) {
    return *text;
  }
  if (const auto* list = value.get<HostValue::List>()) {
    Json json = Json::array();
    for (const HostValue& item : *list) {
      json.push(to_json(item));
    }
    return json;
  }
  return Json();
}

// A number becomes a tensor of rank 0, so that files of tensors can hold it.
void collect(const HostValue& value, const std::string& key, std::vector<data::NamedTensor>* out) {
  if (const auto* tensor = value.get<HostTensor>()) {
    out->push_back({key, *tensor});
  } else if (const auto* flag = value.get<bool>()) {
    HostTensor scalar(DType::kBool, {});
    *scalar.mutable_data<bool>() = *flag;
    out->push_back({key, std::move(scalar)});
  } else if (const auto* integer = value.get<int64_t>()) {
    HostTensor scalar(DType::kInt64, {});
    *scalar.mutable_data<int64_t>() = *integer;
    out->push_back({key, std::move(scalar)});
  } else if (const auto* real = value.get<double>()) {
    HostTensor scalar(DType::kFloat64, {});
    *scalar.mutable_data<double>() = *real;
    out->push_back({key, std::move(scalar)});
  } else if (const auto* list = value.get<HostValue::List>()) {
    for (size_t i = 0; i < list->size(); ++i) {
      collect((*list)[i], key + "_" + std::to_string(i), out);
    }
  }
}

// What `path`, by its extension, is to hold.
Expected<std::string> outputs_file(const std::string& path, const std::vector<HostValue>& outputs) {
  std::vector<data::NamedTensor> tensors;
  for (size_t i = 0; i < outputs.size(); ++i) {
    collect(outputs[i], "output_" + std::to_string(i), &tensors);
  }
  const auto ends_with = [&](const std::string& end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  Expected<std::string> bytes = invalid("");
  if (ends_with(".npy")) {
    bytes = tensors.size() == 1
                ? data::to_npy(tensors[0].tensor)
                : Expected<std::string>(invalid(fmt::format(
                      "{} outputs do not fit an .npy file; name an .npz file", tensors.size())));
  } else if (ends_with(".npz")) {
    bytes = data::to_npz(tensors);
  } else {
    bytes = data::to_safetensors(tensors);
  }
  if (!bytes.ok()) {
    return invalid(path + ": " + bytes.error().text);
  }
  return bytes;
}

// The trace and the outputs: both or none.
Error write_files(const Options& options, const EtdumpRecorder& recorder,
                  const std::vector<HostValue>& outputs) {
  data::OutputFiles files;
  const std::string trace = options.trace.empty() ? "" : recorder.etdump_bytes();
  if (!options.trace.empty()) {
    if (Error error = files.add(options.trace, trace); !error.ok()) {
      return error;
    }
  }
  Expected<std::string> bytes = std::string();
  if (!options.out.empty()) {
    bytes = outputs_file(options.out, outputs);
    if (!bytes.ok()) {
      return bytes.error();
    }
    if (Error error = files.add(options.out, *bytes); !error.ok()) {
      return error;
    }
  }
  return files.put_in_place();
}

int run(const Options& options) {
  std::vector<std::string> labels;
  if (!options.labels.empty()) {
    Expected<std::vector<std::string>> read = read_labels(options.labels);
    if (!read.ok()) {
      return fail(read.error());
    }
    labels = *std::move(read);
  }
  EtdumpRecorder recorder;
  const auto session = open_program(options.program, options.trace.empty() ? nullptr : &recorder);
  if (!session.ok()) {
    return fail(session.error());
  }
  Module& module = (*session)->module();
  const auto inputs = read_inputs(module, options.program.method, options.inputs,
                                  options.program.compile.image, "");
  if (!inputs.ok()) {
    return fail(inputs.error());
  }
  const auto outputs = module.run(options.program.method, *inputs);
  if (!outputs.ok()) {
    return fail(outputs.error());
  }
  const auto guesses = labels.empty() ? std::nullopt : top_guesses(*outputs, labels.size());
  if (!labels.empty() && !guesses) {
    return fail(fmt::format("{} has {} labels, and no output has that many elements",
                            options.labels, labels.size()));
  }
  if (const Error error = write_files(options, recorder, *outputs); !error.ok()) {
    return fail(error);
  }
  if (options.output.quiet) {
    return kDone;
  }
  if (options.output.json) {
    Json json = Json::object();
    Json list = Json::array();
    for (const HostValue& output : *outputs) {
      list.push(to_json(output));
    }
    json.set("outputs", std::move(list));
    if (guesses) {
      Json top = Json::array();
      for (const Guess& guess : *guesses) {
        top.push(Json::object()
                     .set("label", labels[guess.index])
                     .set("index", static_cast<uint64_t>(guess.index))
                     .set("probability", guess.probability));
      }
      json.set("top", std::move(top));
    }
    fmt::print("{}\n", json.text());
    return kDone;
  }
  const size_t shown = options.output.verbose ? SIZE_MAX : kShownElements;
  for (size_t i = 0; i < outputs->size(); ++i) {
    fmt::print("output {}: {}\n", i, data::to_text((*outputs)[i], shown));
  }
  if (guesses) {
    for (const Guess& guess : *guesses) {
      fmt::print("{:5.1f} %  {}  {}\n", guess.probability * 100,
                 fmt::format("{:<{}}", bar(guess.probability), kBarWidth), labels[guess.index]);
    }
  }
  return kDone;
}

const VerbRegistration kRun(
    {"run", "Run a program once and print its outputs",
     "  cresset run model.pte --input x.npy\n"
     "  cresset run model.pt2 --input photo.jpg --mean 0.485,0.456,0.406 --std 0.229,0.224,0.225 "
     "--labels labels.txt\n"
     "  cresset run model.pte --input '[1,2,3]:int64' --input random:7 -o out.npz\n"
     "  cresset run model.pte --input zeros --trace run.etdump",
     20, [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<Options>();
       add_program_flags(app, &options->program);
       add_input_flag(app, &options->inputs);
       add_output_flags(app, &options->output);
       app.add_option("-o,--output", options->out, "Write the outputs: .npy, .npz or .safetensors")
           ->check(one_of_extensions({".npy", ".npz", ".safetensors"}))
           ->type_name("OUT");
       app.add_option("--labels", options->labels,
                      "Names of the classes, one a line: print the top 5")
           ->type_name("FILE");
       app.add_option("--trace", options->trace, "Write an ETDump of the run")
           ->type_name("FILE.etdump");
       return [options] { return run(*options); };
     }});

}  // namespace
}  // namespace cresset::cli
