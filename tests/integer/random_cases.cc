// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/integer/random_cases.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "core/check.h"
#include "ops/multipliers.h"
#include "tests/integer/reference.h"

namespace cresset::tests {

using data::HostTensor;
using data::HostValue;
using data::OperatorCase;

namespace {

using Sizes = std::vector<int32_t>;

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  int64_t between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool once_in(int64_t n) { return between(1, n) == 1; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[between(0, static_cast<int64_t>(list.size()) - 1)];
  }

  DType operand_dtype() { return once_in(2) ? DType::kInt8 : DType::kUInt8; }

  std::vector<uint8_t> dim_order(size_t rank) {
    std::vector<uint8_t> order(rank);
    std::iota(order.begin(), order.end(), uint8_t{0});
    if (rank == 4 && once_in(3)) {
      return {0, 2, 3, 1};
    }
    if (once_in(3)) {
      std::shuffle(order.begin(), order.end(), random_);
    }
    return order;
  }

 private:
  std::mt19937_64 random_;
};

int64_t least(DType dtype) {
  return dtype == DType::kUInt8 ? 0 : -(int64_t{1} << (8 * dtype_bytes(dtype) - 1));
}
int64_t greatest(DType dtype) {
  return dtype == DType::kUInt8 ? 255 : (int64_t{1} << (8 * dtype_bytes(dtype) - 1)) - 1;
}

HostTensor tensor_of(DType dtype, const Sizes& sizes, const std::function<int64_t()>& element) {
  HostTensor wide(DType::kInt64, sizes);
  for (int64_t i = 0; i < wide.numel(); ++i) {
    wide.mutable_data<int64_t>()[i] = element();
  }
  return wide.converted(dtype);
}

HostTensor elements(Dice& dice, DType dtype, const Sizes& sizes) {
  const int64_t low = least(dtype), high = greatest(dtype);
  const int64_t kind = dice.between(0, 11);
  return tensor_of(dtype, sizes,
                   [&] {
                     return kind == 0   ? low
                            : kind == 1 ? high
                            : kind == 2 ? dice.one_of({low, high, low + 1})
                                        : dice.between(low, high);
                   })
      .reordered(dice.dim_order(sizes.size()));
}

HostValue list_of(std::vector<int64_t> values) {
  HostValue::List list;
  for (const int64_t value : values) {
    list.push_back({value});
  }
  return {list};
}

int64_t zero_point(Dice& dice, DType dtype) {
  return dice.once_in(4)   ? dice.one_of({least(dtype), greatest(dtype)})
         : dice.once_in(2) ? int64_t{dtype == DType::kUInt8 ? 128 : 0}
                           : dice.between(least(dtype), greatest(dtype));
}

double any_scale(Dice& dice) {
  if (dice.once_in(12)) {
    return dice.one_of({1.0, 1e-45, 1e-38, 1e-30, 1e30, 3e38, 1e-310, 1e300});
  }
  return std::exp2(dice.real(-12, 2));
}

// zero, min and max of an output, and its dtype.
struct Output {
  HostValue dtype;  // None: that of the operand
  int64_t zero, min, max;
  double scale;

  Output(Dice& dice, DType operand) {
    DType own = operand;
    if (dice.once_in(4)) {
      own = dice.one_of({DType::kInt8, DType::kUInt8, DType::kInt16});
      dtype = {own};
    }
    zero = zero_point(dice, own);
    min = least(own);
    max = greatest(own);
    if (dice.once_in(3)) {  // a fused relu
      min = zero;
    } else if (dice.once_in(6)) {
      min = dice.between(min, max);
      max = dice.between(min, max);
    }
    scale = any_scale(dice);
  }
  void push(std::vector<HostValue>* args) const {
    args->insert(args->end(), {{scale}, {zero}, {min}, {max}});
  }
};

// What a sum of about `magnitude` is multiplied by, so that results use their range, or nearly.
double step_scale(Dice& dice, double magnitude) {
  return std::exp2(dice.real(-4, 1)) * 100 / std::max(magnitude, 1.0);
}

std::vector<int64_t> fixed_of(Dice& dice, double scale) {
  if (dice.once_in(8)) {
    return {dice.one_of<int64_t>({0, 1, 1 << 30, 0x7fffffff}),
            dice.one_of<int64_t>({1, 2, 31, 32, 33, 34, 54, 61, 62})};
  }
  const ops::FixedMultiplier fixed = ops::fixed_multiplier(scale);
  return {fixed.multiplier, fixed.shift};
}

// weight, bias, scale and shift of a row with `filters` channels, each a sum of `depth` products.
void push_weights(Dice& dice, const Sizes& weight_sizes, int32_t filters, int64_t depth,
                  double x_scale, const Output& y, std::vector<HostValue>* args) {
  args->push_back({elements(dice, DType::kInt8, weight_sizes)});
  const int64_t bias = dice.between(0, 3);
  args->push_back(bias == 0 ? HostValue{} : HostValue{tensor_of(DType::kInt32, {filters}, [&] {
    return bias == 1 ? dice.one_of<int64_t>({INT32_MIN, INT32_MAX, -1, 0, 100})
                     : dice.between(-20000, 20000);
  })});
  const int32_t scales = dice.once_in(3) ? 1 : filters;
  const double magnitude = 6000 * std::sqrt(static_cast<double>(depth));
  const int64_t form = dice.between(0, 2);
  if (form == 0) {
    HostTensor scale(DType::kFloat32, {scales});
    for (int32_t c = 0; c < scales; ++c) {
      scale.mutable_data<float>()[c] =
          dice.once_in(10) ? dice.one_of({0.0f, 1e-45f, 1e-38f, 1.0f, 3e38f})
                           : static_cast<float>(step_scale(dice, magnitude) * y.scale / x_scale);
    }
    args->insert(args->end(), {{scale}, {}});
    return;
  }
  if (form == 1) {
    HostTensor scale(DType::kInt32, {scales}), shift(DType::kInt8, {scales});
    for (int32_t c = 0; c < scales; ++c) {
      const auto fixed = fixed_of(dice, step_scale(dice, magnitude));
      scale.mutable_data<int32_t>()[c] = static_cast<int32_t>(fixed[0]);
      shift.mutable_data<int8_t>()[c] = static_cast<int8_t>(fixed[1]);
    }
    args->insert(args->end(), {{scale}, {shift}});
    return;
  }
  HostTensor scale(DType::kInt16, {scales}), shift(DType::kInt8, {scales, 2});
  const ops::QuantRange range = {static_cast<int32_t>(y.zero), static_cast<int32_t>(y.min),
                                 static_cast<int32_t>(y.max)};
  for (int32_t c = 0; c < scales; ++c) {
    const int64_t reach = depth * 255 * 128;
    const auto chosen = ops::narrow_multiplier(step_scale(dice, magnitude), {-reach, reach}, range);
    const bool corner = !chosen || dice.once_in(8);
    scale.mutable_data<int16_t>()[c] = static_cast<int16_t>(
        corner ? dice.one_of<int64_t>({0, 1, 1 << 14, 32767}) : chosen->multiplier);
    shift.mutable_data<int8_t>()[2 * c] =
        static_cast<int8_t>(corner ? dice.between(0, 31) : chosen->pre_shift);
    shift.mutable_data<int8_t>()[2 * c + 1] =
        static_cast<int8_t>(corner ? dice.between(1, 62) : chosen->shift);
  }
  args->insert(args->end(), {{scale},
                             {shift.reordered(dice.once_in(4) ? std::vector<uint8_t>{1, 0}
                                                              : std::vector<uint8_t>{0, 1})}});
}

OperatorCase convolution(Dice& dice, bool transposed) {
  const int32_t groups = static_cast<int32_t>(dice.one_of({1, 1, 1, 2, 3, 8, 21, 70}));
  const bool depthwise = groups == 70 || dice.once_in(3);
  const int32_t in_group = depthwise ? 1 : static_cast<int32_t>(dice.between(1, 70 / groups));
  const int32_t out_group =
      depthwise && dice.once_in(2)
          ? 1
          : static_cast<int32_t>(dice.between(1, groups == 1 ? 40 : std::max(1, 18 / groups)));
  Sizes x_sizes = {static_cast<int32_t>(dice.one_of({1, 1, 2, 0})), in_group * groups, 0, 0};
  Sizes w_sizes = transposed ? Sizes{in_group * groups, out_group, 0, 0}
                             : Sizes{out_group * groups, in_group, 0, 0};
  std::vector<int64_t> stride, padding, dilation, extra;
  const bool pointwise = dice.once_in(4);
  for (size_t d = 0; d < 2; ++d) {
    const int64_t kernel = pointwise ? 1 : dice.between(1, dice.once_in(8) ? 7 : 4);
    dilation.push_back(dice.one_of({1, 1, 2}));
    stride.push_back(pointwise ? 1 : dice.between(1, 3));
    const int64_t reach = (kernel - 1) * dilation[d] + 1;
    padding.push_back(pointwise ? 0 : dice.between(0, transposed ? reach - 1 : reach));
    extra.push_back(std::max(stride[d], dilation[d]) == 1
                        ? 0
                        : dice.between(0, std::max(stride[d], dilation[d]) - 1));
    const int64_t fewest =
        transposed ? 1 + 2 * padding[d] : std::max<int64_t>(1, reach - 2 * padding[d]);
    x_sizes[2 + d] = static_cast<int32_t>(fewest + dice.between(0, dice.once_in(4) ? 20 : 6));
    w_sizes[2 + d] = static_cast<int32_t>(kernel);
  }
  const DType dtype = dice.operand_dtype();
  const Output y(dice, dtype);
  const double x_scale = any_scale(dice);
  OperatorCase call;
  call.args.push_back({elements(dice, dtype, x_sizes)});
  push_weights(dice, w_sizes, out_group * groups, int64_t{in_group} * w_sizes[2] * w_sizes[3],
               x_scale, y, &call.args);
  call.args.insert(call.args.end(), {{x_scale}, {zero_point(dice, dtype)}});
  y.push(&call.args);
  call.args.insert(call.args.end(), {list_of(stride), list_of(padding), list_of(dilation)});
  if (transposed) {
    call.args.push_back(list_of(extra));
  }
  call.args.insert(call.args.end(), {{int64_t{groups}}, y.dtype});
  return call;
}

int32_t depth_of(Dice& dice) {
  return static_cast<int32_t>(dice.once_in(2) ? dice.one_of({63, 64, 65, 1024, 0, 1})
                                              : dice.between(1, 200));
}

OperatorCase linear(Dice& dice) {
  Sizes x_sizes;
  for (int64_t d = dice.between(0, 3); d > 0; --d) {
    x_sizes.push_back(static_cast<int32_t>(dice.between(dice.once_in(20) ? 0 : 1, 5)));
  }
  const int32_t depth = depth_of(dice),
                filters = static_cast<int32_t>(dice.between(1, dice.once_in(4) ? 70 : 20));
  x_sizes.push_back(depth);
  const DType dtype = dice.operand_dtype();
  const Output y(dice, dtype);
  const double x_scale = any_scale(dice);
  OperatorCase call;
  call.args.push_back({elements(dice, dtype, x_sizes)});
  push_weights(dice, {filters, depth}, filters, depth, x_scale, y, &call.args);
  call.args.insert(call.args.end(), {{x_scale}, {zero_point(dice, dtype)}});
  y.push(&call.args);
  call.args.push_back(y.dtype);
  return call;
}

// Sizes that broadcast with `sizes`.
Sizes broadcast_of(Dice& dice, Sizes sizes) {
  for (int32_t& size : sizes) {
    size = dice.once_in(4) ? 1 : size;
  }
  const int64_t cut = dice.once_in(3) ? dice.between(0, static_cast<int64_t>(sizes.size())) : 0;
  sizes.erase(sizes.begin(), sizes.begin() + cut);
  return sizes;
}

Sizes any_sizes(Dice& dice, int64_t least_rank, int64_t most) {
  Sizes sizes;
  for (int64_t d = dice.between(least_rank, 4); d > 0; --d) {
    sizes.push_back(static_cast<int32_t>(dice.between(dice.once_in(30) ? 0 : 1, most)));
  }
  return sizes;
}

// a, b and the scales of two operands; `fixed` makes the list from them.
OperatorCase pair_of(Dice& dice, const Sizes& a, const Sizes& b, double magnitude,
                     const std::function<std::vector<int64_t>(double, double, double)>& fixed) {
  const DType a_dtype = dice.operand_dtype(), b_dtype = dice.operand_dtype();
  Output y(dice, a_dtype);
  const double a_scale = any_scale(dice);
  double b_scale = any_scale(dice);
  if (!dice.once_in(4)) {
    y.scale = std::exp2(dice.real(-6, 0));
    b_scale = step_scale(dice, magnitude) * y.scale / a_scale;
  }
  OperatorCase call;
  call.args = {{elements(dice, a_dtype, a)},
               {elements(dice, b_dtype, b)},
               {a_scale},
               {zero_point(dice, a_dtype)},
               {b_scale},
               {zero_point(dice, b_dtype)}};
  y.push(&call.args);
  call.args.push_back(
      list_of(dice.once_in(2) ? fixed(a_scale, b_scale, y.scale) : std::vector<int64_t>()));
  call.args.push_back(y.dtype);
  return call;
}

OperatorCase add(Dice& dice) {
  const Sizes a = any_sizes(dice, 0, 9);
  Sizes b = broadcast_of(dice, a), first = a;
  if (dice.once_in(3)) {
    std::swap(first, b);
  }
  OperatorCase call = pair_of(dice, first, b, 100, [&](double sa, double sb, double sy) {
    const auto fixed = ops::add_multipliers(sa, dice.once_in(3) ? -sb : sb, sy);
    return std::vector<int64_t>(fixed.begin(), fixed.end());
  });
  if (!dice.once_in(4)) {
    const double scale = std::exp2(dice.real(-6, -2));
    const bool ties = dice.once_in(3);  // many results near the middle of two steps
    const double a_scale = scale * (ties ? 0.5 : dice.real(0.1, 1));
    const double b_scale = scale * (ties ? dice.one_of({0.5, -0.25, 1.5}) : dice.real(-1, 1));
    call.args[2] = {a_scale};
    call.args[4] = {b_scale};
    call.args[6] = {scale};
    if (!call.args[10].get<HostValue::List>()->empty()) {
      const auto fixed = ops::add_multipliers(a_scale, b_scale, scale);
      call.args[10] = list_of({fixed.begin(), fixed.end()});
    }
  }
  return call;
}

OperatorCase multiply(Dice& dice) {
  const Sizes a = any_sizes(dice, 0, 9);
  return pair_of(dice, a, broadcast_of(dice, a), 6000,
                 [&](double sa, double sb, double sy) { return fixed_of(dice, sa * sb / sy); });
}

OperatorCase matmul(Dice& dice) {
  Sizes a = any_sizes(dice, 0, 3);
  a.resize(std::min<size_t>(a.size(), 2));
  Sizes b = broadcast_of(dice, a);
  const int32_t depth = depth_of(dice);
  a.insert(a.end(), {static_cast<int32_t>(dice.between(1, 12)), depth});
  b.insert(b.end(), {depth, static_cast<int32_t>(dice.between(1, 12))});
  return pair_of(dice, a, b, 6000 * std::sqrt(static_cast<double>(depth)),
                 [&](double sa, double sb, double sy) { return fixed_of(dice, sa * sb / sy); });
}

// x, its scale and the output's, alike or not.
void push_mean(Dice& dice, const Sizes& sizes, Output* y, double* x_scale, OperatorCase* call) {
  const DType dtype = dice.operand_dtype();
  *y = Output(dice, dtype);
  *x_scale = any_scale(dice);
  if (dice.once_in(2)) {
    *x_scale = y->scale * std::exp2(dice.real(-1, 1));
  } else if (dice.once_in(2)) {
    *x_scale = y->scale;
  }
  call->args = {{elements(dice, dtype, sizes)}, {*x_scale}, {zero_point(dice, dtype)}};
  y->push(&call->args);
}

HostValue mean_fixed(Dice& dice, double x_scale, double y_scale, int64_t count) {
  if (dice.once_in(2)) {
    return list_of({});
  }
  const auto fixed =
      ops::mean_multiplier(x_scale, y_scale, dice.once_in(4) ? dice.between(1, 300) : count);
  return list_of({fixed.begin(), fixed.end()});
}

OperatorCase avg_pool(Dice& dice) {
  std::vector<int64_t> kernel, stride, padding;
  Sizes sizes = {static_cast<int32_t>(dice.between(1, 2)),
                 static_cast<int32_t>(dice.between(1, 9))};
  for (size_t d = 0; d < 2; ++d) {
    kernel.push_back(dice.between(1, 5));
    stride.push_back(dice.between(1, 3));
    padding.push_back(dice.between(0, kernel[d] / 2));
    sizes.push_back(static_cast<int32_t>(kernel[d] + dice.between(0, 9)));
  }
  if (dice.once_in(5)) {
    sizes.erase(sizes.begin());
  }
  Output y(dice, DType::kInt8);
  double x_scale;
  OperatorCase call;
  push_mean(dice, sizes, &y, &x_scale, &call);
  const bool override = dice.once_in(4);
  const int64_t divisor = override ? dice.between(1, 30) : kernel[0] * kernel[1];
  call.args.insert(call.args.end(), {list_of(kernel),
                                     list_of(dice.once_in(3) ? std::vector<int64_t>() : stride),
                                     list_of(padding),
                                     {dice.once_in(2)},
                                     {dice.once_in(2)},
                                     override ? HostValue{divisor} : HostValue{}});
  call.args.push_back(mean_fixed(dice, x_scale, y.scale, divisor));
  call.args.push_back(y.dtype);
  return call;
}

OperatorCase mean(Dice& dice) {
  Sizes sizes = any_sizes(dice, 0, 9);
  for (int32_t& size : sizes) {
    size = std::max(size, 1);
  }
  Output y(dice, DType::kInt8);
  double x_scale;
  OperatorCase call;
  push_mean(dice, sizes, &y, &x_scale, &call);
  std::vector<int64_t> dims;
  int64_t count = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (dice.once_in(2)) {
      dims.push_back(static_cast<int64_t>(d) -
                     (dice.once_in(2) ? static_cast<int64_t>(sizes.size()) : 0));
      count *= sizes[d];
    }
  }
  call.args.insert(call.args.end(), {dice.once_in(6) ? HostValue{} : list_of(dims),
                                     {dice.once_in(2)},
                                     mean_fixed(dice, x_scale, y.scale, count),
                                     y.dtype});
  return call;
}

OperatorCase lookup(Dice& dice) {
  const DType dtype = dice.operand_dtype();
  const DType to = dice.one_of({DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32});
  HostTensor table = tensor_of(to, {256}, [&] { return dice.between(least(to), greatest(to)); });
  OperatorCase call;
  call.args = {{elements(dice, dtype, any_sizes(dice, 0, 9))}, {std::move(table)}};
  return call;
}

OperatorCase softmax(Dice& dice) {
  Sizes sizes = any_sizes(dice, 1, 5);
  sizes[static_cast<size_t>(dice.between(0, static_cast<int64_t>(sizes.size()) - 1))] =
      static_cast<int32_t>(dice.one_of({1, 2, 10, 63, 300}));
  const int64_t rank = static_cast<int64_t>(sizes.size());
  const int64_t dim = dice.between(-rank, rank - 1);
  const int64_t length = std::max(sizes[static_cast<size_t>((dim + rank) % rank)], 1);
  const double x_scale = std::exp2(dice.real(-10, -2));
  const auto table = ops::softmax_table(x_scale, dice.once_in(3) ? 4096 : length);
  size_t next = 0;
  const DType dtype = dice.operand_dtype();
  Output y(dice, dtype);
  y.scale = dice.once_in(2) ? 1.0 / 256 : std::exp2(dice.real(-16, -4));
  const auto fixed = fixed_of(dice, 1 / y.scale);
  OperatorCase call;
  call.args = {{elements(dice, dtype, sizes)},
               {dim},
               {tensor_of(DType::kInt32, {256}, [&] { return table[next++]; })},
               {x_scale}};
  y.push(&call.args);
  call.args.insert(call.args.end(), {list_of(fixed), y.dtype});
  return call;
}

OperatorCase requantization(Dice& dice) {
  const DType dtype = dice.one_of({DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32});
  const bool wide = dtype == DType::kInt16 || dtype == DType::kInt32;
  Output y(dice, wide ? DType::kInt8 : dtype);
  if (y.dtype.is_none() && wide) {
    y.dtype = {DType::kInt8};
  }
  const double magnitude = dtype == DType::kInt32 ? 2e9 : dtype == DType::kInt16 ? 30000 : 100;
  const double scale = step_scale(dice, magnitude);
  OperatorCase call;
  call.args = {{elements(dice, dtype, any_sizes(dice, 0, 9))},
               {dice.once_in(6) ? any_scale(dice) : scale * y.scale},
               {zero_point(dice, dtype)}};
  y.push(&call.args);
  call.args.push_back(list_of(dice.once_in(2) ? fixed_of(dice, scale) : std::vector<int64_t>()));
  call.args.push_back(y.dtype);
  return call;
}

using Maker = OperatorCase (*)(Dice&);
const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> kMakers = {
      {"qadd", add},
      {"qavg_pool2d", avg_pool},
      {"qconv2d", [](Dice& dice) { return convolution(dice, false); }},
      {"qconv_transpose2d", [](Dice& dice) { return convolution(dice, true); }},
      {"qlinear", linear},
      {"qlookup", lookup},
      {"qmatmul", matmul},
      {"qmean", mean},
      {"qmul", multiply},
      {"qsoftmax", softmax},
      {"requantize", requantization}};
  return kMakers;
}

}  // namespace

const std::vector<std::string>& integer_rows() {
  static const std::vector<std::string> kRows = [] {
    std::vector<std::string> rows;
    for (const auto& [row, maker] : makers()) {
      rows.push_back(row);
    }
    return rows;
  }();
  return kRows;
}

std::vector<OperatorCase> random_integer_cases(const std::string& row, uint64_t seed,
                                               size_t count) {
  const auto maker = makers().find(row);
  CRESSET_CHECK(maker != makers().end());
  std::vector<OperatorCase> cases;
  for (size_t i = 0; i < count; ++i) {
    Dice dice(seed + i * 0x9e3779b97f4a7c15u);
    OperatorCase call = maker->second(dice);
    const HostTensor plain = integer_reference(row, call);
    call.outs.push_back({plain.reordered(dice.dim_order(plain.rank()))});
    cases.push_back(std::move(call));
  }
  return cases;
}

}  // namespace cresset::tests
