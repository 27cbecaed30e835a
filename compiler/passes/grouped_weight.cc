// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/grouped_weight.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/quantization.h"

namespace cresset::passes {

namespace {

std::optional<size_t> fixed(const Dim& dim) {
  return dim.known() ? std::optional<size_t>(static_cast<size_t>(*dim.known())) : std::nullopt;
}

// A constant matrix in row-major order.
std::optional<Doubles> read_matrix(const ir::Value* value) {
  const std::optional<Doubles> numbers = read_numbers(value);
  if (!numbers || value->rank() != 2) {
    return std::nullopt;
  }
  const std::vector<size_t> strides = strides_of(value->constant()->type);
  const size_t rows = *fixed(value->sizes()[0]), columns = *fixed(value->sizes()[1]);
  Doubles result(numbers->size());
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = (*numbers)[i / columns * strides[0] + i % columns * strides[1]];
  }
  return rows * columns == result.size() ? std::optional(result) : std::nullopt;
}

std::optional<GroupedWeight> failed(std::string* why, const char* text) {
  *why = text;
  return std::nullopt;
}

// A dequantize node: its integers, scales, zero points; the size of its groups.
std::optional<GroupedWeight> read_groups(const ir::Value* integers, const ir::Value* scale,
                                         const Argument& zero, int64_t group, std::string* why) {
  const std::optional<Doubles> numbers = read_matrix(integers);
  const std::optional<Doubles> scales = read_numbers(scale);
  if (!numbers || !scales) {
    return failed(why, "not a constant matrix");
  }
  GroupedWeight weight;
  weight.name = integers->constant()->name;
  weight.rows = *fixed(integers->sizes()[0]);
  weight.columns = *fixed(integers->sizes()[1]);
  if (weight.columns == 0 || group < 1) {
    return failed(why, "empty");
  }
  weight.group = std::min(static_cast<size_t>(group), weight.columns);
  weight.scales = *scales;
  if (zero.is_value()) {
    const std::optional<Doubles> zeros = read_numbers(zero.value());
    if (!zeros) {
      return failed(why, "of zero points that are not constant");
    }
    weight.zeros = *zeros;
  }
  const size_t count = weight.rows * weight.groups();
  if (weight.scales.size() == 1) {
    weight.scales.resize(count, weight.scales.front());
  }
  if (weight.zeros.size() == 1) {
    weight.zeros.resize(count, weight.zeros.front());
  }
  if (weight.scales.size() != count || (!weight.zeros.empty() && weight.zeros.size() != count)) {
    return failed(why, "not in groups along their rows");
  }
  // Unsigned ones move into int8 with their zero points.
  const double shift = integers->dtype() == DType::kUInt8 ? 128 : 0;
  if (shift != 0) {
    weight.zeros.resize(count, 0);
  }
  for (double& zero_point : weight.zeros) {
    zero_point -= shift;
    if (zero_point < -128 || zero_point > 127 || zero_point != std::nearbyint(zero_point)) {
      return failed(why, "of a zero point that does not fit 8 bits");
    }
  }
  if (std::all_of(weight.zeros.begin(), weight.zeros.end(), [](double z) { return z == 0; })) {
    weight.zeros.clear();
  }
  for (const double number : *numbers) {
    if (number - shift < -128 || number - shift > 127) {
      return failed(why, "of more than 8 bits");
    }
    weight.numbers.push_back(static_cast<int8_t>(number - shift));
  }
  return weight;
}

// [rows * groups, group] as [rows, columns].
std::optional<GroupedWeight> reshaped(GroupedWeight weight, const Dims& sizes, std::string* why) {
  const std::optional<size_t> columns =
      sizes.size() == 2 ? fixed(sizes[1]) : std::optional<size_t>();
  if (!columns || *columns == 0 || weight.group != weight.columns ||
      *columns % weight.columns != 0) {
    return failed(why, "reshaped across their groups");
  }
  weight.rows = weight.rows * weight.columns / *columns;
  weight.columns = *columns;
  return weight;
}

// The first `count` columns.
std::optional<GroupedWeight> narrowed(const GroupedWeight& weight, size_t count, std::string* why) {
  GroupedWeight result = weight;
  result.columns = count;
  if (count == 0 || result.groups() != weight.groups()) {
    return failed(why, "cut by whole groups");
  }
  result.numbers.clear();
  for (size_t row = 0; row < weight.rows; ++row) {
    const auto first = weight.numbers.begin() + static_cast<ptrdiff_t>(row * weight.columns);
    result.numbers.insert(result.numbers.end(), first, first + static_cast<ptrdiff_t>(count));
  }
  return result;
}

std::optional<GroupedWeight> of_channels(const QuantizedWeight& plain, std::string* why) {
  const TensorType& type = plain.numbers->type;
  if (type.sizes.size() != 2 || (plain.scales.size() != 1 && plain.axis > 1)) {
    return failed(why, "no matrix");
  }
  const bool turned = plain.scales.size() != 1 && plain.axis == 1;
  const QuantizedWeight weight = turned ? permuted(plain, {1, 0}) : plain;
  const std::vector<size_t> strides = strides_of(weight.numbers->type);
  GroupedWeight result;
  result.name = weight.numbers->name;
  result.rows = *fixed(weight.numbers->type.sizes[0]);
  result.columns = result.group = *fixed(weight.numbers->type.sizes[1]);
  result.scales = weight.scales;
  result.scales.resize(result.rows, weight.scales.front());
  for (size_t i = 0; i < result.rows * result.columns; ++i) {
    const size_t at = i / result.columns * strides[0] + i % result.columns * strides[1];
    result.numbers.push_back(static_cast<int8_t>(weight.numbers->bytes[at]));
  }
  return turned ? failed(why, "scaled along their rows") : std::optional(result);
}

bool is_float(const Argument& argument) {
  return argument.is_none() || argument.dtype() == DType::kFloat32;
}

}  // namespace

std::optional<GroupedWeight> transposed(const GroupedWeight& weight) {
  const bool one = std::all_of(weight.scales.begin(), weight.scales.end(),
                               [&](double scale) { return scale == weight.scales.front(); });
  if (!one || !weight.zeros.empty()) {
    return std::nullopt;
  }
  GroupedWeight result = weight;
  result.rows = weight.columns;
  result.columns = result.group = weight.rows;
  result.scales.assign(result.rows, weight.scales.front());
  for (size_t i = 0; i < weight.numbers.size(); ++i) {
    result.numbers[i % weight.columns * weight.rows + i / weight.columns] = weight.numbers[i];
  }
  return result;
}

std::optional<GroupedWeight> read_grouped_weight(const ir::Value* value, std::string* why) {
  const ir::Node* node = value->producer();
  if (node == nullptr || value->rank() != 2) {
    return failed(why, "not quantized");
  }
  switch (node->op()) {
    case Op::view_copy: {
      std::optional<GroupedWeight> whole = read_grouped_weight(node->arg(0).value(), why);
      return whole ? reshaped(std::move(*whole), value->sizes(), why) : std::nullopt;
    }
    case Op::slice_copy_tensor: {
      const std::optional<GroupedWeight> whole = read_grouped_weight(node->arg(0).value(), why);
      const auto is = [&](size_t i, int64_t number) {
        return node->arg(i).is_int() && node->arg(i).integer() == number;
      };
      if (!whole || !is(1, 1) || !(node->arg(2).is_none() || is(2, 0)) || !is(4, 1)) {
        return failed(why, "cut");
      }
      return narrowed(*whole, *fixed(value->sizes()[1]), why);
    }
    case Op::torchao_dequantize_affine: {
      const std::optional<Ints> block = node->arg(1).int_list();
      if (!block || block->size() != 2 || block->front() != 1 || !is_float(node->arg(7)) ||
          value->dtype() != DType::kFloat32) {
        return failed(why, "not in groups along their rows");
      }
      return read_groups(node->arg(0).value(), node->arg(2).value(), node->arg(3), block->back(),
                         why);
    }
    case Op::qd_dequantize_per_channel_group:
      if (value->dtype() != DType::kFloat32 || !node->arg(6).is_int()) {
        return failed(why, "not float32");
      }
      return read_groups(node->arg(0).value(), node->arg(1).value(), node->arg(2),
                         node->arg(6).integer(), why);
    default: {
      const std::optional<QuantizedWeight> plain = read_weight(value, why);
      return plain && value->dtype() == DType::kFloat32 ? of_channels(*plain, why) : std::nullopt;
    }
  }
}

std::vector<Argument> pack(Builder& b, const GroupedWeight& weight, int64_t* bits,
                           int64_t* group_size) {
  const auto [least, greatest] = std::minmax_element(weight.numbers.begin(), weight.numbers.end());
  *bits = 2;
  while (*bits < 8 && !weight.numbers.empty() &&
         (*least < -(1 << (*bits - 1)) || *greatest >= 1 << (*bits - 1))) {
    *bits *= 2;
  }
  *group_size = weight.groups() == 1 ? 0 : static_cast<int64_t>(weight.group);
  const size_t fields = static_cast<size_t>(8 / *bits);
  const size_t line = (weight.columns + fields - 1) / fields;
  std::vector<uint8_t> bytes(weight.rows * line);
  for (size_t i = 0; i < weight.numbers.size(); ++i) {
    const size_t column = i % weight.columns;
    const unsigned field = static_cast<uint8_t>(weight.numbers[i]) & ((1u << *bits) - 1);
    bytes[i / weight.columns * line + column / fields] |=
        static_cast<uint8_t>(field << (column % fields * static_cast<size_t>(*bits)));
  }
  const auto matrix = [&](const char* suffix, DType dtype, const Doubles& values) {
    return b.constant(write_numbers(
        weight.name + suffix,
        {dtype,
         {Dim(static_cast<int64_t>(weight.rows)), Dim(static_cast<int64_t>(weight.groups()))},
         {}},
        values));
  };
  const TensorType type{*bits == 8 ? DType::kInt8 : DType::kUInt8,
                        {Dim(static_cast<int64_t>(weight.rows)), Dim(static_cast<int64_t>(line))},
                        {}};
  return {b.constant(ir::make_constant(weight.name, type, bytes.data(), bytes.size())),
          matrix(".scale", DType::kFloat32, weight.scales),
          weight.zeros.empty() ? Argument() : matrix(".zero", DType::kInt8, weight.zeros)};
}

}  // namespace cresset::passes
