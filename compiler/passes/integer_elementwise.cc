// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/integer_rules.h"

// Sums and products of two tensors, element by element.
namespace cresset::passes::integer_rules {

namespace {

Value* paired(IntegerSite& site, Op op, double sign, const Quantization& y) {
  const QuantizedValue left = site.x(0), right = site.x(1);
  if (site.refused()) {
    return nullptr;
  }
  std::vector<Argument> args{left.value,   right.value,           left.is.scale,
                             left.is.zero, right.is.scale * sign, right.is.zero};
  append(y, &args);
  args.push_back(ArgumentList());
  args.push_back(dtype_argument(y, left.value));
  return site.b.call(op, std::move(args));
}

}  // namespace

Value* sum(IntegerSite& site, const Quantization& y) {
  const Argument& alpha = site.node().arg("alpha");
  if (!alpha.is_number()) {
    return site.refuse("alpha is not constant");
  }
  return paired(site, Op::qadd,
                site.node().op() == Op::sub_tensor ? -alpha.number() : alpha.number(), y);
}

Value* multiplied(IntegerSite& site, const Quantization& y) { return paired(site, Op::qmul, 1, y); }

}  // namespace cresset::passes::integer_rules
