// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "compiler/passes/integer_rules.h"
#include "compiler/passes/weight_channels.h"

// Convolutions and matrix products.
namespace cresset::passes::integer_rules {

namespace {

// The arguments weight, bias, scale, shift, x_scale, x_zero, y_scale, y_zero, y_min, y_max; empty
// after a refusal. `bias` may be null.
std::vector<Argument> scaled_arguments(IntegerSite& site, const QuantizedValue& x,
                                       const QuantizedWeight& weight,
                                       const WeightChannels& channels, const Value* bias,
                                       const Quantization& y) {
  const size_t scale_count = weight.scales.size();
  if (scale_count != 1 &&
      (weight.axis != (channels.transposed ? 1u : 0u) ||
       (scale_count != channels.count && scale_count * channels.groups != channels.count))) {
    site.refuse("the weights have a scale for each of their inputs");
    return {};
  }
  const std::vector<ops::SumBounds> bounds =
      sum_bounds(*weight.numbers, channels, x.is.dtype, x.is.zero);
  const std::optional<Doubles> biases =
      bias == nullptr ? Doubles(channels.count, 0) : read_dequantized(bias);
  if (!biases || biases->size() != channels.count) {
    site.refuse("the bias is not constant");
    return {};
  }
  constexpr double kMost = 2147483647.0;
  bool uniform = scale_count == 1;
  Doubles scales, units;
  for (size_t c = 0; c < channels.count; ++c) {
    double scale = weight.scales[scale_count == 1 ? 0 : c % scale_count];
    const double wanted = std::abs((*biases)[c]);
    if (bounds[c].least == 0 && bounds[c].greatest == 0 && wanted > 0) {
      // Nothing but the bias: any scale will do, so one in which it has 24 bits.
      scale = wanted / (x.is.scale * 0x1p24);
      uniform = false;
    }
    const double unit = std::nearbyint((*biases)[c] / (x.is.scale * scale));
    const double multiplier = x.is.scale * scale / y.scale;
    const std::string place = "channel " + std::to_string(c);
    if (!(std::abs(unit + static_cast<double>(bounds[c].greatest)) <= kMost) ||
        !(std::abs(unit + static_cast<double>(bounds[c].least)) <= kMost) ||
        !(std::abs(unit) <= kMost)) {
      site.refuse(place + ": the sum, with the bias, does not fit 32 bits");
      return {};
    }
    if (!(multiplier >= 0x1p-62 && multiplier < 0x1p30)) {
      site.refuse(place + ": a unit of the sum is " + std::to_string(multiplier) +
                  " steps of the output");
      return {};
    }
    scales.push_back(scale);
    units.push_back(unit);
  }
  scales.resize(uniform ? 1 : scales.size());
  Builder& b = site.b;
  const std::string& name = weight.numbers->name;
  const auto list = [&](const char* suffix, DType dtype, const Doubles& values) {
    return b.constant(write_numbers(
        name + suffix, {dtype, {Dim(static_cast<int64_t>(values.size()))}, {}}, values));
  };
  std::vector<Argument> args{
      b.constant(weight.numbers),
      bias == nullptr ? Argument() : Argument(list(".bias", DType::kInt32, units)),
      list(".scale", DType::kFloat32, scales),
      Argument(),
      x.is.scale,
      x.is.zero};
  append(y, &args);
  return args;
}

const Value* optional_value(const Argument& argument) {
  return argument.is_value() ? argument.value() : nullptr;
}

bool has_argument(const Node& node, std::string_view name) {
  for (size_t i = 0; i < node.schema().arg_count; ++i) {
    if (node.schema().args[i].name == name) {
      return true;
    }
  }
  return false;
}

// Numbers for 2 dimensions from those for `n`; what stands for the missing one is `neutral`.
std::optional<Ints> spread(const Argument& argument, size_t n, int64_t neutral) {
  std::optional<Ints> given =
      argument.is_int() ? std::optional(Ints{argument.integer()}) : argument.int_list();
  if (!given) {
    return std::nullopt;
  }
  if (given->size() == 1) {
    given->resize(n, given->front());
  }
  if (n == 1) {
    given->insert(given->begin(), neutral);
  }
  return given->size() == 2 ? given : std::nullopt;
}

// Weights over one dimension as weights over two, the first of size 1.
ir::ConstantPtr over_two_dimensions(const ir::Constant& weights) {
  auto wide = std::make_shared<ir::Constant>(weights);
  wide->type.sizes.insert(wide->type.sizes.begin() + 2, Dim(1));
  for (uint8_t& d : wide->type.dim_order) {
    d = d == 2 ? 3 : d;
  }
  if (!wide->type.dim_order.empty()) {
    wide->type.dim_order.push_back(2);
  }
  return wide;
}

}  // namespace

Value* convolution(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  Builder& b = site.b;
  const QuantizedValue x = site.x(0);
  const QuantizedWeight weight = site.weight(1);
  if (site.refused()) {
    return nullptr;
  }
  const size_t n = weight.numbers->type.sizes.size() - 2;
  if (n != 1 && n != 2) {
    return site.refuse("convolutions over " + std::to_string(n) + " dimensions");
  }
  const bool transposed = has_argument(node, "transposed") ? node.arg("transposed").boolean()
                                                           : has_argument(node, "output_padding");
  const std::optional<Ints> stride = spread(node.arg("stride"), n, 1);
  const std::optional<Ints> dilation = spread(node.arg("dilation"), n, 1);
  const std::optional<Ints> output_padding =
      has_argument(node, "output_padding") ? spread(node.arg("output_padding"), n, 0) : Ints{0, 0};
  const bool worded = node.arg("padding").is_string();
  std::optional<Ints> padding = worded ? Ints{0, 0} : spread(node.arg("padding"), n, 0);
  if (!stride || !dilation || !padding || !output_padding || !node.arg("groups").is_int()) {
    return site.refuse("its parameters are not constant");
  }
  const int64_t groups = node.arg("groups").integer();
  const WeightChannels channels =
      WeightChannels::of(weight.numbers->type, static_cast<size_t>(groups), transposed);
  std::vector<Argument> args =
      scaled_arguments(site, x, weight, channels, optional_value(node.arg("bias")), y);
  if (site.refused()) {
    return nullptr;
  }
  Value* input = x.value;
  const bool unbatched = input->rank() == n + 1;
  input = unbatched ? b.unsqueeze(input, 0) : input;
  if (n == 1) {
    input = b.unsqueeze(input, 2);
    args[0] = b.constant(over_two_dimensions(*weight.numbers));
  }
  if (worded && node.arg("padding").string() == "same") {
    // What does not halve goes right.
    Ints uneven(4, 0);
    for (size_t d = 0; d < 2; ++d) {
      const int64_t total =
          (*dilation)[d] * (*b.size(args[0].value(), static_cast<int64_t>(2 + d)).known() - 1);
      (*padding)[d] = total / 2;
      uneven[3 - 2 * d] = total % 2;
    }
    if (uneven != Ints(4, 0)) {
      input = b.call(Op::constant_pad_nd, {input, Argument::ints(uneven), x.is.zero});
    }
  }
  args.insert(args.begin(), input);
  args.insert(args.end(),
              {Argument::ints(*stride), Argument::ints(*padding), Argument::ints(*dilation)});
  if (transposed) {
    args.push_back(Argument::ints(*output_padding));
  }
  args.push_back(groups);
  args.push_back(dtype_argument(y, input));
  Value* result = b.call(transposed ? Op::qconv_transpose2d : Op::qconv2d, std::move(args));
  result = n == 1 ? b.squeeze(result, 2) : result;
  return unbatched ? b.squeeze(result, 0) : result;
}

namespace {

// Two operands that both come at run time.
Value* multiplied_matrices(IntegerSite& site, size_t first, const Quantization& y) {
  const QuantizedValue left = site.x(first), right = site.x(first + 1);
  if (site.refused()) {
    return nullptr;
  }
  if (left.value->rank() < 2 || right.value->rank() < 2) {
    return site.refuse("vectors");
  }
  const std::optional<int64_t> depth = site.b.size(left.value, -1).known();
  if (!depth || *depth > 0x7fffffff / (255 * 255)) {
    return site.refuse("the sum may not fit 32 bits");
  }
  std::vector<Argument> args{left.value,   right.value,    left.is.scale,
                             left.is.zero, right.is.scale, right.is.zero};
  append(y, &args);
  args.push_back(ArgumentList());
  args.push_back(dtype_argument(y, left.value));
  return site.b.call(Op::qmatmul, std::move(args));
}

}  // namespace

Value* product(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  const bool is_linear = node.op() == Op::linear, is_addmm = node.op() == Op::addmm;
  const size_t first = is_addmm ? 1 : 0;
  if (is_addmm && !(node.arg("beta").is_number() && node.arg("beta").number() == 1 &&
                    node.arg("alpha").is_number() && node.arg("alpha").number() == 1)) {
    return site.refuse("beta and alpha other than 1");
  }
  std::string why;
  std::optional<QuantizedWeight> weight = read_weight(node.arg(first + 1).value(), &why);
  if (!weight || weight->numbers->type.sizes.size() != 2) {
    return is_linear || is_addmm ? site.refuse("the weights are " + why)
                                 : multiplied_matrices(site, first, y);
  }
  const QuantizedValue x = site.x(first);
  if (site.refused()) {
    return nullptr;
  }
  if (!is_linear) {
    weight = permuted(*weight, {1, 0});
  }
  const Value* bias = is_linear  ? optional_value(node.arg(2))
                      : is_addmm ? optional_value(node.arg(0))
                                 : nullptr;
  const WeightChannels channels = WeightChannels::of(weight->numbers->type, 1, false);
  std::vector<Argument> args = scaled_arguments(site, x, *weight, channels, bias, y);
  if (site.refused()) {
    return nullptr;
  }
  args.insert(args.begin(), x.value);
  args.push_back(dtype_argument(y, x.value));
  return site.b.call(Op::qlinear, std::move(args));
}

}  // namespace cresset::passes::integer_rules
