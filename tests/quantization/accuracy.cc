// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/quantization/accuracy.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "compiler/frontend/import.h"
#include "compiler/quantizer/decibels.h"
#include "extensions/data/image.h"
#include "extensions/data/safetensors.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"

namespace cresset::tests {

namespace {
using data::HostTensor;
using data::HostValue;

constexpr int32_t kPictureSize = 224;

// Integers as the network takes them.
void scale_integers(const Network& network, HostTensor* row) {
  const int64_t channels = static_cast<int64_t>(network.scale.size());
  const int64_t inner = row->numel() / channels;
  float* const x = row->mutable_data<float>();
  for (int64_t i = 0; i < row->numel(); ++i) {
    const size_t c = static_cast<size_t>(i / inner);
    x[i] = static_cast<float>((x[i] - network.zero[c]) * network.scale[c]);
  }
}

// One call a row: [rows, ...] cut along dimension 0 into float tensors [1, ...].
Expected<std::vector<HostTensor>> rows_of(const data::Safetensors& file, const std::string& key,
                                          const Network& network) {
  std::vector<HostTensor> rows;
  const data::Safetensors::Entry* const entry = file.find(key);
  if (entry == nullptr) {
    return rows;
  }
  const Expected<HostTensor> copied = data::Safetensors::copy(*entry);
  if (!copied.ok()) {
    return copied.error();
  }
  const HostTensor numbers = copied->converted(DType::kFloat32);
  std::vector<int32_t> sizes = numbers.sizes();
  const int32_t count = sizes[0];
  sizes[0] = 1;
  const int64_t elements = numbers.numel() / count;
  for (int32_t r = 0; r < count; ++r) {
    HostTensor row(DType::kFloat32, sizes);
    std::copy_n(numbers.data<float>() + r * elements, elements, row.mutable_data<float>());
    if (entry->dtype != DType::kFloat32) {
      scale_integers(network, &row);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// The pictures of a folder, in the order of their names.
Expected<std::vector<HostTensor>> pictures_of(const std::string& folder, const Network& network) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  data::ImageOptions plain;
  plain.scale = 1;
  std::vector<HostTensor> rows;
  for (const std::string& file : files) {
    Expected<HostTensor> picture =
        data::read_image(file, DType::kFloat32, {1, 3, kPictureSize, kPictureSize}, {}, plain);
    if (!picture.ok()) {
      return picture.error();
    }
    scale_integers(network, &*picture);
    rows.push_back(std::move(*picture));
  }
  return rows;
}

struct Set {
  std::vector<HostTensor> calibration, test;
};

Expected<Set> read_set(const Network& network, const std::string& path) {
  std::vector<Expected<std::vector<HostTensor>>> parts;
  if (std::filesystem::is_directory(path)) {
    parts.push_back(pictures_of(path + "/calibration", network));
    parts.push_back(pictures_of(path + "/test", network));
  } else {
    const Expected<data::Safetensors> file = data::Safetensors::open(path);
    if (!file.ok()) {
      return file.error();
    }
    for (const char* key : {"calibration", "test", "test_f32"}) {
      parts.push_back(rows_of(*file, key, network));
    }
  }
  Set set;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].ok()) {
      return parts[i].error();
    }
    std::move(parts[i]->begin(), parts[i]->end(),
              std::back_inserter(i == 0 ? set.calibration : set.test));
  }
  return set;
}

// The scores instead of what a softmax at the end makes of them.
void cut_softmax(ir::Graph* graph) {
  for (ir::Argument& output : graph->outputs) {
    const ir::Node* const node = output.is_value() ? output.value()->producer() : nullptr;
    if (node != nullptr && node->info().name == "aten::softmax") {
      output = node->arg(0);
    }
  }
}

struct Program {
  std::unique_ptr<Module> module;
  compiler::CompileResult result;

  uint64_t arena_bytes() const {
    const std::vector<uint64_t>& arenas = result.methods[0].arena_bytes;
    return arenas.empty() ? 0 : arenas[0];
  }
};

Expected<Program> compile(const std::string& path, const compiler::CompileOptions& options) {
  ir::Expected<frontend::ImportedProgram> imported = frontend::import_program(path);
  if (!imported.ok()) {
    return imported.error();
  }
  cut_softmax(imported->graph.get());
  ir::Expected<compiler::CompileResult> compiled =
      compiler::compile(std::vector{imported->graph}, options);
  if (!compiled.ok()) {
    return compiled.error();
  }
  Program program;
  program.result = std::move(*compiled);
  ModuleOptions module;
  module.kernels.assign(options.kernels.begin(), options.kernels.end());
  Expected<std::unique_ptr<Module>> loaded =
      Module::from_bytes(data::FileBytes::own(std::move(program.result.program)), path, module);
  if (!loaded.ok()) {
    return loaded.error();
  }
  program.module = std::move(*loaded);
  return program;
}

eval::Datum datum_of(const HostTensor& tensor) {
  std::vector<ir::Dim> sizes(tensor.sizes().begin(), tensor.sizes().end());
  return ir::make_constant("", {tensor.dtype(), std::move(sizes), {}}, tensor.bytes().data(),
                           tensor.size_bytes());
}

Expected<std::vector<HostTensor>> run_all(Program& program, const std::vector<HostTensor>& inputs,
                                          double* seconds) {
  std::vector<HostTensor> outputs;
  const auto start = std::chrono::steady_clock::now();
  for (const HostTensor& input : inputs) {
    Expected<std::vector<HostValue>> results = program.module->forward({{input}});
    if (!results.ok()) {
      return results.error();
    }
    outputs.push_back(*(*results)[0].get<HostTensor>());
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  *seconds = taken.count();
  return outputs;
}

size_t argmax(const HostTensor& scores) {
  const float* const first = scores.data<float>();
  return static_cast<size_t>(std::max_element(first, first + scores.numel()) - first);
}

Network network_of(const char* name, const char* set, std::vector<double> scale,
                   std::vector<double> zero, double sqnr_per_channel, double top1_per_channel,
                   double sqnr_per_tensor, double top1_per_tensor) {
  return {name,
          set,
          std::move(scale),
          std::move(zero),
          {sqnr_per_channel, top1_per_channel},
          {sqnr_per_tensor, top1_per_tensor}};
}

}  // namespace

const std::vector<Network>& networks() {
  static const std::vector<Network> all = {
#define NETWORK(name, ...) network_of(name, __VA_ARGS__),
#include "tests/quantization/networks.def"
#undef NETWORK
  };
  return all;
}

Expected<Accuracy> measure(const Network& network, const std::string& models,
                           const std::string& sets, const quantizer::Options& options) {
  const Expected<Set> set = read_set(network, sets + "/" + network.set);
  if (!set.ok()) {
    return set.error();
  }
  const std::string path = models + "/" + network.name + "/model.pt2";
  compiler::CompileOptions compiling;
  compiling.kernels = kernels::host_kernels();
  Expected<Program> plain = compile(path, compiling);
  compiling.quantize = options;
  compiling.calibrate = [&](const ir::Graph&) -> ir::Expected<quantizer::Calibration> {
    quantizer::Calibration data;
    for (const HostTensor& row : set->calibration) {
      data.samples.push_back({datum_of(row)});
    }
    return data;
  };
  Expected<Program> quantized = compile(path, compiling);
  if (!plain.ok() || !quantized.ok()) {
    return !plain.ok() ? plain.error() : quantized.error();
  }
  Accuracy accuracy;
  const Expected<std::vector<HostTensor>> want =
      run_all(*plain, set->test, &accuracy.float_seconds);
  const Expected<std::vector<HostTensor>> got = run_all(*quantized, set->test, &accuracy.seconds);
  if (!want.ok() || !got.ok()) {
    return !want.ok() ? want.error() : got.error();
  }
  double power = 0;
  double noise = 0;
  uint64_t agreeing = 0;
  for (size_t s = 0; s < want->size(); ++s) {
    for (int64_t i = 0; i < (*want)[s].numel(); ++i) {
      const double x = (*want)[s].data<float>()[i];
      const double e = (*got)[s].data<float>()[i] - x;
      power += x * x;
      noise += e * e;
      accuracy.largest = std::max(accuracy.largest, std::fabs(x));
    }
    agreeing += argmax((*want)[s]) == argmax((*got)[s]);
  }
  accuracy.samples = want->size();
  accuracy.sqnr_db = quantizer::decibels(power, noise);
  accuracy.top1 = static_cast<double>(agreeing) / static_cast<double>(want->size());
  accuracy.float_arena_bytes = plain->arena_bytes();
  accuracy.arena_bytes = quantized->arena_bytes();
  for (const quantizer::NodeReport& node : quantized->result.quantization[0].nodes) {
    accuracy.quantized_nodes += node.quantized;
  }
  return accuracy;
}

}  // namespace cresset::tests
