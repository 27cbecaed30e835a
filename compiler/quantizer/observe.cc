// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/quantizer/observe.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/quantizer/decibels.h"
#include "compiler/quantizer/probe.h"

namespace cresset::quantizer {

namespace {

using ir::Value;

// Float32 elements of a row-major tensor; empty for anything else.
Span<const float> elements_of(const ir::ConstantPtr& tensor) {
  if (tensor == nullptr || tensor->type.dtype != DType::kFloat32) {
    return {};
  }
  return {reinterpret_cast<const float*>(tensor->bytes), tensor->size_bytes / sizeof(float)};
}

// How the channels of a product's input lie in a tensor.
struct ChannelLayout {
  size_t channels = 1, inner = 1;
};

ChannelLayout layout_of(const Unit& unit, const ir::TensorType& type) {
  const size_t rank = type.sizes.size();
  // Convolutions: [N, C, spatial dims as many as the weights have], N may be missing.
  const bool is_linear = unit.weight()->rank() == 2;
  const size_t axis = is_linear ? rank - 1 : rank - (unit.weight()->rank() - 1);
  ChannelLayout layout;
  layout.channels = static_cast<size_t>(*type.sizes[axis].known());
  for (size_t d = axis + 1; d < rank; ++d) {
    layout.inner *= static_cast<size_t>(*type.sizes[d].known());
  }
  return layout;
}

// Numbers that are not finite would go through the whole model and leave no ranges.
ir::Error check_finite(const ir::Graph& graph, const Calibration& calibration) {
  for (size_t s = 0; s < calibration.samples.size(); ++s) {
    for (size_t i = 0; i < calibration.samples[s].size() && i < graph.inputs.size(); ++i) {
      const Span<const float> x = elements_of(eval::tensor_of(calibration.samples[s][i]));
      const float* const found =
          std::find_if(x.begin(), x.end(), [](float number) { return std::isnan(number); });
      if (found != x.end()) {
        return ir::error(Status::kInvalidArgument,
                         "calibration, sample " + std::to_string(s) + ": element " +
                             std::to_string(found - x.begin()) + " of input '" +
                             graph.inputs[i].name + "' is NaN");
      }
    }
  }
  return {};
}

struct Difference {
  double power = 0, noise = 0;
  uint64_t rows = 0, agreeing = 0;

  void add(Span<const float> want, Span<const float> got, size_t row) {
    for (size_t i = 0; i < want.size() && i < got.size(); ++i) {
      if (!std::isfinite(want[i])) {
        continue;
      }
      const double e = static_cast<double>(got[i]) - want[i];
      power += static_cast<double>(want[i]) * want[i];
      noise += e * e;
    }
    for (size_t i = 0; row > 1 && i + row <= want.size() && i + row <= got.size(); i += row) {
      ++rows;
      agreeing += std::max_element(want.begin() + i, want.begin() + i + row) - want.begin() ==
                  std::max_element(got.begin() + i, got.begin() + i + row) - got.begin();
    }
  }
};

}  // namespace

ir::Expected<Observations> observe(const ir::Graph& graph, const Plan& plan,
                                   const Calibration& calibration, const Context& context) {
  std::vector<Value*> watched = plan.owners();
  const std::set<const Value*> owners(watched.begin(), watched.end());
  std::map<const Value*, const Unit*> products;  // by input, where channels count
  for (const Unit& unit : plan.units) {
    if (unit.rule->kind == Rule::Kind::kProduct) {
      Value* const x = unit.node->arg(0).value();
      products[x] = &unit;
      if (!owners.contains(x)) {
        watched.push_back(x);
      }
    }
  }
  ir::Expected<std::unique_ptr<Probe>> probe = Probe::make(graph, watched, context);
  if (!probe.ok()) {
    return probe.error();
  }
  if (ir::Error failure = check_finite(graph, calibration)) {
    return failure;
  }
  Observations observations;
  for (size_t s = 0; s < calibration.samples.size(); ++s) {
    ir::Expected<std::vector<eval::Datum>> outputs =
        (*probe)->run(calibration.samples[s], [&](size_t place, const ir::ConstantPtr& tensor) {
          const Value* const value = watched[place];
          Observer& observer = observations.values[value->name];
          const Span<const float> x = elements_of(tensor);
          const auto product = products.find(value);
          if (product == products.end()) {
            observer.add(x.data(), x.size());
          } else {
            const ChannelLayout layout = layout_of(*product->second, tensor->type);
            observer.add(x.data(), x.size(), layout.channels, layout.inner);
          }
          if (s == 0 && owners.contains(value)) {
            observations.first[value->name] = tensor;
          }
        });
    if (!outputs.ok()) {
      return ir::error(outputs.error().status,
                       "calibration, sample " + std::to_string(s) + ": " + outputs.error().text);
    }
    observations.outputs.push_back(*std::move(outputs));
  }
  return observations;
}

ir::Expected<Comparison> compare(const ir::Graph& quantized, const Inserted& inserted,
                                 const QParamsByName& qparams, const Observations& observed,
                                 const Calibration& calibration, const Context& context,
                                 size_t samples) {
  std::vector<Value*> watched;
  std::vector<std::string> names;
  for (const auto& [name, integers] : inserted.integers) {
    if (observed.first.contains(name) && qparams.contains(name)) {
      watched.push_back(integers);
      names.push_back(name);
    }
  }
  ir::Expected<std::unique_ptr<Probe>> probe = Probe::make(quantized, watched, context);
  if (!probe.ok()) {
    return probe.error();
  }
  Comparison comparison;
  std::map<size_t, Difference> differences;
  samples = std::min(samples, observed.outputs.size());
  for (size_t s = 0; s < samples; ++s) {
    ir::Expected<std::vector<eval::Datum>> outputs =
        (*probe)->run(calibration.samples[s], [&](size_t place, const ir::ConstantPtr& tensor) {
          const Span<const float> want = elements_of(observed.first.at(names[place]));
          if (s != 0 || tensor->type.dtype != DType::kInt8 || tensor->size_bytes != want.size()) {
            return;
          }
          const QParams& q = qparams.at(names[place]);
          double power = 0;
          double noise = 0;
          for (size_t i = 0; i < want.size(); ++i) {
            const int8_t n = static_cast<int8_t>(tensor->bytes[i]);
            const double e = static_cast<double>(n - q.zero) * q.scale - want[i];
            power += static_cast<double>(want[i]) * want[i];
            noise += e * e;
          }
          comparison.total_sqnr_db[names[place]] = decibels(power, noise);
        });
    if (!outputs.ok()) {
      return outputs.error();
    }
    for (size_t i = 0; i < outputs->size() && i < observed.outputs[s].size(); ++i) {
      const ir::ConstantPtr& want = eval::tensor_of(observed.outputs[s][i]);
      const ir::ConstantPtr& got = eval::tensor_of((*outputs)[i]);
      if (want == nullptr || got == nullptr || want->type.dtype != DType::kFloat32 ||
          got->type.order() != want->type.order()) {
        continue;
      }
      const size_t row =
          want->type.sizes.empty() ? 1 : static_cast<size_t>(*want->type.sizes.back().known());
      differences[i].add(elements_of(want), elements_of(got), row);
    }
  }
  Difference all;
  for (const auto& [k, difference] : differences) {
    OutputReport output;
    output.name = k < quantized.output_names.size() ? quantized.output_names[k]
                                                    : "output " + std::to_string(k);
    output.sqnr_db = decibels(difference.power, difference.noise);
    if (difference.rows != 0) {
      output.top1_agreement =
          static_cast<double>(difference.agreeing) / static_cast<double>(difference.rows);
    }
    comparison.outputs.push_back(std::move(output));
    all.power += difference.power;
    all.noise += difference.noise;
  }
  comparison.sqnr_db = decibels(all.power, all.noise);
  return comparison;
}

}  // namespace cresset::quantizer
