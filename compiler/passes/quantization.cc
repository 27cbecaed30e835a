// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/quantization.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/builder.h"

namespace cresset::passes {

int64_t Quantization::nearest(double number) const {
  // In float32, as quantize computes.
  const float steps = static_cast<float>(number) * static_cast<float>(1.0 / scale);
  const double low = static_cast<double>(min - zero), high = static_cast<double>(max - zero);
  return zero +
         static_cast<int64_t>(std::nearbyint(std::clamp(static_cast<double>(steps), low, high)));
}

std::optional<Quantization> read_quantization(const ir::Node& node) {
  if (node.op() != Op::qd_quantize_per_tensor && node.op() != Op::qd_dequantize_per_tensor) {
    return std::nullopt;
  }
  for (size_t i = 1; i < 5; ++i) {
    if (!node.arg(i).is_number()) {
      return std::nullopt;
    }
  }
  Quantization q;
  q.scale = node.arg(1).number();
  q.zero = node.arg(2).integer();
  q.min = node.arg(3).integer();
  q.max = node.arg(4).integer();
  q.dtype = node.arg(5).dtype();
  return std::isfinite(q.scale) && q.scale > 0 && q.min <= q.max ? std::optional(q) : std::nullopt;
}

std::optional<QuantizedValue> before_dequantize(const ir::Value* value) {
  const ir::Node* node = value->producer();
  if (node == nullptr || node->op() != Op::qd_dequantize_per_tensor ||
      value->dtype() != DType::kFloat32) {
    return std::nullopt;
  }
  const std::optional<Quantization> is = read_quantization(*node);
  Value* integers = node->arg(0).value();
  return is && integers->dtype() == is->dtype ? std::optional(QuantizedValue{integers, *is})
                                              : std::nullopt;
}

QuantizedWeight permuted(const QuantizedWeight& weight, const Ints& order) {
  const ir::Constant& old = *weight.numbers;
  const size_t rank = old.type.sizes.size();
  TensorType type{DType::kInt8, Dims(rank), {}};
  std::vector<size_t> strides(rank);
  size_t axis = 0;
  for (size_t d = 0; d < rank; ++d) {
    const size_t from =
        static_cast<size_t>(order[d] < 0 ? order[d] + static_cast<int64_t>(rank) : order[d]);
    type.sizes[d] = old.type.sizes[from];
    strides[d] = strides_of(old.type)[from];
    axis = from == weight.axis ? d : axis;
  }
  const std::vector<size_t> places = strides_of(type);
  std::vector<int8_t> numbers(old.size_bytes);
  for (size_t i = 0; i < numbers.size(); ++i) {
    size_t from = 0;
    for (size_t d = 0; d < rank; ++d) {
      from += i / places[d] % static_cast<size_t>(*type.sizes[d].known()) * strides[d];
    }
    numbers[i] = static_cast<int8_t>(old.bytes[from]);
  }
  return {ir::make_constant(old.name, type, numbers.data(), numbers.size()), weight.scales, axis};
}

namespace {

std::optional<Ints> permutation(const ir::Node& node) {
  const int64_t rank = static_cast<int64_t>(node.arg(0).value()->rank());
  switch (node.op()) {
    case Op::permute_copy:
      return node.arg(1).int_list();
    case Op::t_copy:
      return rank == 2 ? std::optional<Ints>({1, 0}) : std::nullopt;
    case Op::transpose_copy_int: {
      Ints order = counted(static_cast<size_t>(rank));
      const auto at = [&](size_t i) {
        const int64_t dim = node.arg(i).integer();
        return static_cast<size_t>(dim < 0 ? dim + rank : dim);
      };
      std::swap(order[at(1)], order[at(2)]);
      return order;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

namespace {

// Constant integers with their scales and zero points: one, or one an index of `axis`.
struct Packed {
  const ir::Value* integers = nullptr;
  Doubles scales, zeros{0};
  size_t axis = 0;
};

std::optional<Packed> read_packed(const ir::Node& node, std::string* why) {
  const auto no = [&](const char* text) {
    *why = text;
    return std::nullopt;
  };
  const bool per_channel = node.op() == Op::qd_dequantize_per_channel;
  if (!per_channel && node.op() != Op::qd_dequantize_per_tensor) {
    return no("not quantized");
  }
  Packed packed;
  packed.integers = node.arg(0).value();
  if (packed.integers->origin() != Value::Origin::kConstant) {
    return no("not constant");
  }
  if (per_channel) {
    const std::optional<Doubles> scales = read_numbers(node.arg(1).value());
    const std::optional<Doubles> zeros =
        node.arg(2).is_value() ? read_numbers(node.arg(2).value()) : packed.zeros;
    if (!scales || !zeros) {
      return no("of scales that are not constant");
    }
    const int64_t axis = node.arg(3).integer();
    const int64_t rank = static_cast<int64_t>(packed.integers->rank());
    packed.axis = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    packed.scales = *scales;
    packed.zeros = *zeros;
  } else if (const std::optional<Quantization> is = read_quantization(node)) {
    packed.scales = {is->scale};
    packed.zeros = {static_cast<double>(is->zero)};
  } else {
    return no("of scales that are not constant");
  }
  for (const double scale : packed.scales) {
    if (!(scale > 0) || !std::isfinite(scale)) {
      return no("of a scale that is no positive number");
    }
  }
  return packed;
}

// The place along `axis` of element i in the order of memory.
size_t index_along(const TensorType& type, size_t axis, size_t i) {
  return type.sizes.empty()
             ? 0
             : i / strides_of(type)[axis] % static_cast<size_t>(*type.sizes[axis].known());
}

// Numbers less their zero points, as int8; null where they do not fit.
ir::ConstantPtr around_zero(const Packed& packed) {
  const ir::Constant& constant = *packed.integers->constant();
  Doubles numbers = *read_numbers(constant);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t channel =
        packed.zeros.size() == 1 ? 0 : index_along(constant.type, packed.axis, i);
    numbers[i] -= packed.zeros[channel];
    if (numbers[i] < -128 || numbers[i] > 127) {
      return nullptr;
    }
  }
  TensorType type = constant.type;
  type.dtype = DType::kInt8;
  return write_numbers(constant.name, type, numbers);
}

}  // namespace

std::optional<QuantizedWeight> read_weight(const ir::Value* value, std::string* why) {
  const ir::Node* node = value->producer();
  if (node == nullptr) {
    *why = "not quantized";
    return std::nullopt;
  }
  if (const std::optional<Ints> order =
          node->args().empty() || !is_tensor(node->arg(0)) ? std::nullopt : permutation(*node)) {
    const std::optional<QuantizedWeight> before = read_weight(node->arg(0).value(), why);
    return before ? std::optional(permuted(*before, *order)) : std::nullopt;
  }
  const std::optional<Packed> packed = read_packed(*node, why);
  if (!packed) {
    return std::nullopt;
  }
  if (dtype_bytes(packed->integers->dtype()) != 1) {
    *why = "of more than 8 bits";
    return std::nullopt;
  }
  QuantizedWeight weight;
  weight.axis = packed->axis;
  weight.scales = packed->scales;
  const bool symmetric = std::all_of(packed->zeros.begin(), packed->zeros.end(),
                                     [](double zero) { return zero == 0; });
  weight.numbers = symmetric && packed->integers->dtype() == DType::kInt8
                       ? packed->integers->constant()
                       : around_zero(*packed);
  if (weight.numbers == nullptr) {
    *why = "of a zero point that does not go into int8";
    return std::nullopt;
  }
  return weight;
}

std::optional<Doubles> read_dequantized(const ir::Value* value) {
  if (value->producer() == nullptr) {
    return read_numbers(value);
  }
  std::string why;
  const std::optional<Packed> packed = read_packed(*value->producer(), &why);
  if (!packed) {
    return std::nullopt;
  }
  const ir::Constant& constant = *packed->integers->constant();
  Doubles numbers = *read_numbers(constant);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t channel = index_along(constant.type, packed->axis, i);
    const auto of = [&](const Doubles& list) { return list[list.size() == 1 ? 0 : channel]; };
    numbers[i] = (numbers[i] - of(packed->zeros)) * of(packed->scales);
  }
  return numbers;
}

}  // namespace cresset::passes
