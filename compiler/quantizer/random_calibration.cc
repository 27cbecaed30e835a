// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <random>

#include "compiler/eval/datum.h"
#include "compiler/quantizer/quantizer.h"

namespace cresset::quantizer {

namespace {

template <class T>
void fill(uint8_t* bytes, int64_t count, std::mt19937& generator) {
  for (int64_t i = 0; i < count; ++i) {
    T element;
    if constexpr (std::is_floating_point_v<T>) {
      // A sum of uniform numbers rather than std::normal_distribution, which differs by library.
      double sum = -6;
      for (int k = 0; k < 12; ++k) {
        sum += generator() / 4294967296.0;
      }
      element = static_cast<T>(sum);
    } else {
      element = static_cast<T>(generator() % 2);  // what indexes anything also indexes 0 and 1
    }
    std::memcpy(bytes + static_cast<size_t>(i) * sizeof(T), &element, sizeof(T));
  }
}

eval::Datum random_tensor(const ir::Graph& graph, ir::TensorType type, std::mt19937& generator) {
  ir::Ranges ranges = graph.ranges;
  for (auto& [symbol, range] : ranges) {
    range.min = std::max(range.min, std::min<int64_t>(range.max, 2));
  }
  int64_t count = 1;
  for (ir::Dim& size : type.sizes) {
    size = ir::Dim(size.bounds(ranges).min);
    count *= *size.known();
  }
  auto bytes =
      std::make_shared<std::vector<uint8_t>>(static_cast<size_t>(count) * dtype_bytes(type.dtype));
  switch (type.dtype) {
    case DType::kFloat32:
      fill<float>(bytes->data(), count, generator);
      break;
    case DType::kFloat64:
      fill<double>(bytes->data(), count, generator);
      break;
    case DType::kInt64:
      fill<int64_t>(bytes->data(), count, generator);
      break;
    case DType::kInt32:
      fill<int32_t>(bytes->data(), count, generator);
      break;
    case DType::kBool:
      fill<bool>(bytes->data(), count, generator);
      break;
    default:
      break;  // zeros
  }
  return eval::tensor_from(std::move(type), std::move(bytes));
}

}  // namespace

Calibration random_calibration(const ir::Graph& graph, size_t samples) {
  Calibration calibration;
  calibration.random = true;
  std::mt19937 generator(1);
  for (size_t s = 0; s < samples; ++s) {
    std::vector<eval::Datum> inputs;
    for (const ir::UserInput& input : graph.inputs) {
      if (input.value == nullptr) {
        inputs.emplace_back();
      } else if (input.value->is_tensor()) {
        inputs.push_back(random_tensor(graph, input.value->tensor(), generator));
      } else {
        inputs.emplace_back(Scalar::of_int(1));
      }
    }
    calibration.samples.push_back(std::move(inputs));
  }
  return calibration;
}

}  // namespace cresset::quantizer
