// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/integer_rules.h"
#include "ops/multipliers.h"

// Means and softmax.
namespace cresset::passes::integer_rules {

namespace {

// x, x_scale, x_zero, y_scale, y_zero, y_min, y_max.
std::vector<Argument> operands(Value* input, const Quantization& x, const Quantization& y) {
  std::vector<Argument> args{input, x.scale, x.zero};
  append(y, &args);
  return args;
}

Value* mean_over(IntegerSite& site, const QuantizedValue& x, Argument dims, Argument keepdim,
                 const Quantization& y) {
  std::vector<Argument> args = operands(x.value, x.is, y);
  args.insert(args.end(),
              {std::move(dims), std::move(keepdim), ArgumentList(), dtype_argument(y, x.value)});
  return site.b.call(Op::qmean, std::move(args));
}

// Windows over the last `n` dimensions; parameters for n dimensions.
Value* pooled(IntegerSite& site, const QuantizedValue& x, size_t n, Ints kernel, Ints stride,
              Ints padding, Argument ceil_mode, Argument count_padding, Argument divisor,
              const Quantization& y) {
  Builder& b = site.b;
  Value* input = x.value;
  if (n == 1) {
    input = b.unsqueeze(input, -2);
    kernel.insert(kernel.begin(), 1);
    stride.insert(stride.begin(), 1);
    padding.insert(padding.begin(), 0);
  }
  std::vector<Argument> args = operands(input, x.is, y);
  args.insert(args.end(), {Argument::ints(kernel), Argument::ints(stride), Argument::ints(padding),
                           std::move(ceil_mode), std::move(count_padding), std::move(divisor),
                           ArgumentList(), dtype_argument(y, input)});
  Value* result = b.call(Op::qavg_pool2d, std::move(args));
  return n == 1 ? b.squeeze(result, -2) : result;
}

bool keeps_dtype(const Argument& dtype) {
  return dtype.is_none() || dtype == Argument(DType::kFloat32);
}

}  // namespace

Value* mean(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  const QuantizedValue x = site.x(0);
  if (site.refused()) {
    return nullptr;
  }
  if (!keeps_dtype(node.arg("dtype"))) {
    return site.refuse("it changes the dtype");
  }
  return node.op() == Op::mean ? mean_over(site, x, Argument(), false, y)
                               : mean_over(site, x, node.arg(1), node.arg(2), y);
}

Value* average(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  const size_t n = node.op() == Op::avg_pool1d ? 1 : 2;
  const QuantizedValue x = site.x(0);
  const std::optional<Ints> kernel = node.arg(1).int_list(), stride = node.arg(2).int_list(),
                            padding = node.arg(3).int_list();
  if (site.refused()) {
    return nullptr;
  }
  const auto spread = [&](Ints list) {
    if (list.size() == 1) {
      list.resize(n, list.front());
    }
    return list;
  };
  if (!kernel || !stride || !padding) {
    return site.refuse("its parameters are not constant");
  }
  if (n == 2 && node.arg(6).is_number() && node.arg(6).integer() < 1) {
    return site.refuse("a divisor below 1");
  }
  return pooled(site, x, n, spread(*kernel), spread(stride->empty() ? *kernel : *stride),
                spread(*padding), node.arg(4), node.arg(5), n == 2 ? node.arg(6) : Argument(), y);
}

Value* adaptive_average(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  const QuantizedValue x = site.x(0);
  std::optional<Ints> sizes = node.arg(1).int_list();
  if (site.refused()) {
    return nullptr;
  }
  if (!sizes) {
    return site.refuse("its output size is not constant");
  }
  const size_t n = node.op() == Op::adaptive_avg_pool1d ? 1 : 2;
  sizes->resize(n, sizes->front());
  Ints last;
  for (size_t d = 0; d < n; ++d) {
    last.push_back(static_cast<int64_t>(d) - static_cast<int64_t>(n));
  }
  if (*sizes == Ints(n, 1)) {
    return mean_over(site, x, Argument::ints(last), true, y);
  }
  Ints kernel;
  for (size_t d = 0; d < n; ++d) {
    const std::optional<int64_t> size = site.b.size(x.value, last[d]).known();
    if (!size || (*sizes)[d] < 1 || *size % (*sizes)[d] != 0) {
      return site.refuse("windows of different sizes");
    }
    kernel.push_back(*size / (*sizes)[d]);
  }
  return pooled(site, x, n, kernel, kernel, Ints(n, 0), false, true, Argument(), y);
}

Value* softmax(IntegerSite& site, const Quantization& y) {
  const Node& node = site.node();
  Builder& b = site.b;
  const QuantizedValue x = site.x(0);
  if (site.refused()) {
    return nullptr;
  }
  if (node.op() == Op::softmax_int ? !keeps_dtype(node.arg(2)) : node.arg(2).boolean()) {
    return site.refuse("it changes the dtype");
  }
  const int64_t dim = node.arg(1).integer();
  const std::optional<int64_t> length =
      x.value->rank() == 0 ? std::nullopt : b.size(x.value, dim).known();
  if (!length) {
    return site.refuse("the length of its lines is not known");
  }
  const auto table = ops::softmax_table(x.is.scale, *length);
  const ops::FixedMultiplier multiplier = ops::fixed_multiplier(1 / y.scale);
  Value* powers = b.constant(
      ir::make_constant("powers", {DType::kInt32, {Dim(256)}, {}}, table.data(), sizeof table));
  std::vector<Argument> args{x.value, dim, powers, x.is.scale};
  append(y, &args);
  args.push_back(Argument::ints({multiplier.multiplier, multiplier.shift}));
  args.push_back(dtype_argument(y, x.value));
  return b.call(Op::qsoftmax, std::move(args));
}

}  // namespace cresset::passes::integer_rules
