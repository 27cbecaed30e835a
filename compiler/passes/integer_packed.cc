// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "compiler/passes/grouped_weight.h"
#include "compiler/passes/integer_rules.h"
#include "compiler/passes/move_integers.h"

// Products and tables of float activations with packed weights: weight-only, and with activations
// that are quantized by their own extremes.
namespace cresset::passes::integer_rules {

namespace {

const Node* producer(const Argument& argument, Op op) {
  const Node* node = argument.is_value() ? argument.value()->producer() : nullptr;
  return node != nullptr && node->op() == op ? node : nullptr;
}

// Activations that the model quantizes by their own extremes: the arguments of qlinear_dynamic.
struct Dynamic {
  Value* x = nullptr;
  const char* per = "token";
  bool symmetric = false;
  int64_t low = -128, high = 127;
  double eps = 1.1920928955078125e-07;
};

bool bounded(const Dynamic& dynamic) {
  return dynamic.x->dtype() == DType::kFloat32 && dynamic.low <= 0 && dynamic.low >= -128 &&
         dynamic.high > dynamic.low && dynamic.high - dynamic.low <= 255;
}

// The bounds that two or three nodes must agree on.
bool same_arguments(const Node& a, size_t i, const Node& b, size_t j, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (!(a.arg(i + k) == b.arg(j + k)) || !a.arg(i + k).is_number()) {
      return false;
    }
  }
  return true;
}

std::optional<Dynamic> read_per_tensor(const Node& quantize, const Argument& scale,
                                       const Argument& zero) {
  const Node* chosen = scale.is_value() ? scale.value()->producer() : nullptr;
  if (chosen == nullptr || quantize.op() != Op::qd_quantize_per_tensor_tensor ||
      (chosen->op() != Op::qd_choose_qparams_tensor &&
       chosen->op() != Op::qd_choose_qparams_symmetric_tensor) ||
      !(Argument(chosen->result(0)) == scale) || !(Argument(chosen->result(1)) == zero) ||
      !(quantize.arg(1) == scale) || !(quantize.arg(2) == zero) ||
      !(chosen->arg(0) == quantize.arg(0)) || !same_arguments(*chosen, 1, quantize, 3, 2)) {
    return std::nullopt;
  }
  return Dynamic{quantize.arg(0).value(),
                 "tensor",
                 chosen->op() == Op::qd_choose_qparams_symmetric_tensor,
                 quantize.arg(3).integer(),
                 quantize.arg(4).integer(),
                 chosen->arg(3).number()};
}

std::optional<Dynamic> read_per_token(const Node& quantize, const Argument& scale,
                                      const Argument& zero) {
  const Node* chosen = scale.is_value() ? scale.value()->producer() : nullptr;
  if (chosen == nullptr || quantize.op() != Op::qd_quantize_per_token ||
      !(Argument(chosen->result(0)) == scale) || !(Argument(chosen->result(1)) == zero) ||
      !(quantize.arg(1) == scale) || !(quantize.arg(2) == zero) ||
      !(chosen->arg(0) == quantize.arg(0))) {
    return std::nullopt;
  }
  Dynamic dynamic{quantize.arg(0).value()};
  dynamic.low = quantize.arg(3).integer();
  dynamic.high = quantize.arg(4).integer();
  switch (chosen->op()) {
    case Op::qd_choose_qparams_per_token_asymmetric:
    case Op::qd_choose_qparams_per_token_asymmetric_impl:
      dynamic.per = "token_float64";
      return dynamic.low == -128 && dynamic.high == 127 ? std::optional(dynamic) : std::nullopt;
    case Op::qd_choose_qparams_per_token:
      // The greatest magnitude becomes 127, whatever the bounds.
      dynamic.symmetric = true;
      dynamic.low = -127;
      dynamic.eps = static_cast<double>(1e-5f / 127.0f);
      return dynamic.high == 127 ? std::optional(dynamic) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// quantize_affine whose scale and zero point choose_qparams_affine determines.
std::optional<Dynamic> read_affine(const Node& quantize, const Argument& scale,
                                   const Argument& zero) {
  const Node* chosen = producer(scale, Op::torchao_choose_qparams_affine);
  if (chosen == nullptr || quantize.op() != Op::torchao_quantize_affine ||
      !(Argument(chosen->result(0)) == scale) ||
      !(zero.is_none() || Argument(chosen->result(1)) == zero) || !(quantize.arg(2) == scale) ||
      !(quantize.arg(3) == zero) || !(chosen->arg(0) == quantize.arg(0)) ||
      !(chosen->arg(2) == quantize.arg(1)) || !same_arguments(*chosen, 4, quantize, 5, 2) ||
      scale.value()->dtype() != DType::kFloat32) {
    return std::nullopt;
  }
  Dynamic dynamic{quantize.arg(0).value()};
  const std::optional<Ints> block = quantize.arg(1).int_list();
  const Dims& sizes = dynamic.x->sizes();
  if (!block || block->size() != sizes.size() || sizes.empty() ||
      !(Dim(block->back()) == sizes.back())) {
    return std::nullopt;
  }
  for (size_t d = 0; d + 1 < sizes.size(); ++d) {
    if ((*block)[d] != 1) {
      return std::nullopt;
    }
  }
  const std::string_view mapping = chosen->arg(1).string();
  if (mapping != "SYMMETRIC" && mapping != "ASYMMETRIC") {
    return std::nullopt;
  }
  dynamic.symmetric = mapping == "SYMMETRIC";
  dynamic.low = quantize.arg(5).integer();
  dynamic.high = quantize.arg(6).integer();
  dynamic.eps = chosen->arg(6).is_number() ? chosen->arg(6).number() : dynamic.eps;
  if (zero.is_none() && (!dynamic.symmetric || dynamic.low + dynamic.high + 1 < 0 ||
                         dynamic.low + dynamic.high > 0)) {
    return std::nullopt;
  }
  return dynamic;
}

std::optional<Dynamic> read_dynamic(const Value* value) {
  const Node* dequantize = value->producer();
  if (dequantize == nullptr) {
    return std::nullopt;
  }
  std::optional<Dynamic> found;
  const auto quantize = [&] {
    return dequantize->arg(0).is_value() ? dequantize->arg(0).value()->producer() : nullptr;
  };
  switch (dequantize->op()) {
    case Op::view_copy: {  // rows stay rows
      const Value* before = dequantize->arg(0).value();
      if (before->rank() == 0 || value->rank() == 0 ||
          !(before->sizes().back() == value->sizes().back())) {
        return std::nullopt;
      }
      found = read_dynamic(before);
      break;
    }
    case Op::qd_dequantize_per_tensor_tensor:
      found = quantize() == nullptr
                  ? std::nullopt
                  : read_per_tensor(*quantize(), dequantize->arg(1), dequantize->arg(2));
      break;
    case Op::qd_dequantize_per_token:
      found = quantize() == nullptr
                  ? std::nullopt
                  : read_per_token(*quantize(), dequantize->arg(1), dequantize->arg(2));
      break;
    case Op::torchao_dequantize_affine:
      found = quantize() == nullptr || !(dequantize->arg(1) == quantize()->arg(1))
                  ? std::nullopt
                  : read_affine(*quantize(), dequantize->arg(2), dequantize->arg(3));
      break;
    default:
      return std::nullopt;
  }
  return found && bounded(*found) && value->dtype() == DType::kFloat32 ? found : std::nullopt;
}

// x as the product's first operand: views between quantize and product are made in float.
Value* activations(Builder& b, const Dynamic& dynamic, const Dims& sizes) {
  return dynamic.x->sizes() == sizes ? dynamic.x : b.view(dynamic.x, sizes);
}

Values packed_product(IntegerSite& site, Value* x, const std::optional<Dynamic>& dynamic,
                      const GroupedWeight& weight, const Argument& bias) {
  Builder& b = site.b;
  int64_t bits, group;
  std::vector<Argument> args = pack(b, weight, &bits, &group);
  args.insert(args.begin(), dynamic ? activations(b, *dynamic, x->sizes()) : x);
  args.insert(args.end(), {bias, bits, group});
  if (dynamic) {
    args.insert(args.end(), {Argument(std::string(dynamic->per)), dynamic->symmetric, dynamic->low,
                             dynamic->high, dynamic->eps});
  }
  return {b.call(dynamic ? Op::qlinear_dynamic : Op::qlinear_weight, std::move(args))};
}

bool is_bias(const Argument& bias, size_t rows) {
  return bias.is_none() ||
         (is_tensor(bias) && bias.value()->dtype() == DType::kFloat32 &&
          bias.value()->rank() == 1 && bias.value()->sizes()[0] == Dim(static_cast<int64_t>(rows)));
}

}  // namespace

Values packed_linear(IntegerSite& site) {
  const Node& node = site.node();
  const bool is_linear = node.op() == Op::linear, is_addmm = node.op() == Op::addmm;
  const size_t first = is_addmm ? 1 : 0;
  if (is_addmm && !(node.arg("beta").is_number() && node.arg("beta").number() == 1 &&
                    node.arg("alpha").is_number() && node.arg("alpha").number() == 1)) {
    return {};
  }
  Value* x = node.arg(first).value();
  const Value* w = node.arg(first + 1).value();
  if (x->dtype() != DType::kFloat32 || x->rank() == 0 || w->rank() != 2 || before_dequantize(x) ||
      !x->sizes().back().is_known()) {
    return {};
  }
  std::string why;
  const Node* turn = w->producer();
  const bool turned = !is_linear && turn != nullptr &&
                      (turn->op() == Op::permute_copy || turn->op() == Op::t_copy ||
                       turn->op() == Op::transpose_copy_int);
  std::optional<GroupedWeight> weight =
      read_grouped_weight(turned ? turn->arg(0).value() : w, &why);
  if (!weight) {
    return {};
  }
  weight = is_linear || turned ? weight : transposed(*weight);
  const Argument bias = is_linear ? node.arg(2) : is_addmm ? node.arg(0) : Argument();
  if (!weight || !is_bias(bias, weight->rows)) {
    return {};
  }
  return packed_product(site, x, read_dynamic(x), *weight, bias);
}

namespace {

// Numbers that fit int8, one an element, in row-major order [columns, rows] of a constant.
std::optional<GroupedWeight> read_integers(const Value* w, const Value* scale) {
  const std::optional<Doubles> numbers = read_numbers(w);
  const std::optional<Doubles> scales = read_numbers(scale);
  if (!numbers || !scales || w->rank() != 2 || scale->rank() > 2 ||
      scale->dtype() != DType::kFloat32) {
    return std::nullopt;
  }
  const std::vector<size_t> strides = strides_of(w->constant()->type);
  GroupedWeight weight;
  weight.name = w->constant()->name;
  weight.columns = weight.group = static_cast<size_t>(*w->sizes()[0].known());
  weight.rows = static_cast<size_t>(*w->sizes()[1].known());
  weight.scales = *scales;
  if (weight.scales.size() == 1) {
    weight.scales.resize(weight.rows, weight.scales.front());
  }
  if (weight.columns == 0 || weight.scales.size() != weight.rows ||
      (scale->rank() > 0 && scales->size() > 1 &&
       !(scale->sizes().back() == Dim(static_cast<int64_t>(weight.rows))))) {
    return std::nullopt;
  }
  for (size_t i = 0; i < numbers->size(); ++i) {
    const double number =
        (*numbers)[i % weight.columns * strides[0] + i / weight.columns * strides[1]];
    if (number < -128 || number > 127 || number != std::nearbyint(number)) {
      return std::nullopt;
    }
    weight.numbers.push_back(static_cast<int8_t>(number));
  }
  return weight;
}

bool used_once(const Value* value) { return value->users().size() == 1; }

const Node* cast_to(const Argument& argument, DType dtype) {
  const Node* node = producer(argument, Op::_to_copy);
  return node != nullptr && node->result()->dtype() == dtype ? node : nullptr;
}

// What a value of integers is made from: q, or q + 128 as uint8 (`shifted`).
const Node* read_factor(const Argument& factor, bool* shifted) {
  *shifted = false;
  if (const Node* narrow = cast_to(factor, DType::kUInt8)) {
    const Node* sum = producer(narrow->arg(0), Op::add_scalar);
    const Node* wide = sum == nullptr ? nullptr : cast_to(sum->arg(0), DType::kInt32);
    if (wide == nullptr || !sum->arg(1).is_int() || sum->arg(1).integer() != 128) {
      return nullptr;
    }
    *shifted = true;
    return producer(wide->arg(0), Op::torchao_quantize_affine);
  }
  return producer(factor, Op::torchao_quantize_affine);
}

// (x's integers @ weights) as float * x's scales * weights' scales.
Values scaled_integer_product(IntegerSite& site, const Argument& inner, const Value* scale) {
  const Node* by_row = producer(inner, Op::mul_tensor);
  const Node* floats = by_row == nullptr ? nullptr : cast_to(by_row->arg(0), DType::kFloat32);
  if (floats == nullptr || !is_tensor(by_row->arg(1))) {
    return {};
  }
  Argument sum = floats->arg(0);
  const Node* difference = producer(sum, Op::sub_tensor);
  if (difference != nullptr) {
    sum = difference->arg(0);
  }
  const Node* product = producer(sum, Op::_int_mm);
  bool shifted;
  const Node* quantize = product == nullptr ? nullptr : read_factor(product->arg(0), &shifted);
  if (quantize == nullptr || shifted != (difference != nullptr)) {
    return {};
  }
  const std::optional<Dynamic> dynamic = read_affine(*quantize, by_row->arg(1), quantize->arg(3));
  const std::optional<GroupedWeight> weight = read_integers(product->arg(1).value(), scale);
  // Of integers around 0 alone: nothing takes zero points away here.
  if (!dynamic || !bounded(*dynamic) || !dynamic->symmetric || dynamic->low < -128 ||
      dynamic->high > 127 || !weight) {
    return {};
  }
  if (shifted) {
    const std::optional<Doubles> taken = read_numbers(difference->arg(1).value());
    if (!taken || taken->size() != weight->rows) {
      return {};
    }
    for (size_t row = 0; row < weight->rows; ++row) {
      double total = 0;
      for (size_t k = 0; k < weight->columns; ++k) {
        total += weight->numbers[row * weight->columns + k];
      }
      if ((*taken)[row] != 128 * total) {
        return {};
      }
    }
  }
  return packed_product(site, quantize->arg(0).value(), dynamic, *weight, Argument());
}

}  // namespace

Values scaled_product(IntegerSite& site) {
  const Node& node = site.node();
  if (!is_tensor(node.arg(1)) || node.arg(1).value()->origin() != Value::Origin::kConstant) {
    return {};
  }
  const Value* scale = node.arg(1).value();
  if (!(node.result()->sizes() == node.arg(0).value()->sizes())) {
    return {};
  }
  if (const Node* product = producer(node.arg(0), Op::mm)) {
    Value* x = product->arg(0).value();
    const std::optional<GroupedWeight> weight =
        x->dtype() == DType::kFloat32 && used_once(product->result())
            ? read_integers(product->arg(1).value(), scale)
            : std::nullopt;
    return weight ? packed_product(site, x, std::nullopt, *weight, Argument()) : Values{};
  }
  return scaled_integer_product(site, node.arg(0), scale);
}

Values packed_bias(IntegerSite& site) {
  const Node& node = site.node();
  const Node* product = producer(node.arg(0), Op::qlinear_weight);
  product = product == nullptr ? producer(node.arg(0), Op::qlinear_dynamic) : product;
  if (product == nullptr || !used_once(product->result()) || !product->arg(4).is_none() ||
      !is_tensor(node.arg(1)) ||
      !is_bias(node.arg(1), static_cast<size_t>(*product->arg(1).value()->sizes()[0].known())) ||
      !node.arg(2).is_number() || node.arg(2).number() != 1) {
    return {};
  }
  std::vector<Argument> args = product->args();
  args[4] = node.arg(1);
  return {site.b.call(product->op(), std::move(args))};
}

namespace {

Values looked_up(IntegerSite& site, const GroupedWeight& weight, const Argument& indices,
                 DType dtype) {
  int64_t bits, group;
  std::vector<Argument> args = pack(site.b, weight, &bits, &group);
  if (weight.columns * static_cast<size_t>(bits) % 8 != 0) {
    site.refuse("its rows do not fill bytes");
    return {};
  }
  args.insert(args.end(), {indices, bits, group, dtype});
  return {site.b.call(Op::qembedding, std::move(args))};
}

}  // namespace

Values packed_table(IntegerSite& site) {
  const Node& node = site.node();
  Value* table = node.arg(0).value();
  std::string why;
  const std::optional<GroupedWeight> weight =
      before_dequantize(table) ? std::nullopt : read_grouped_weight(table, &why);
  return weight ? looked_up(site, *weight, node.arg(1), DType::kFloat32) : move_integers(site);
}

Values packed_embedding(IntegerSite& site) {
  const Node& node = site.node();
  const Op op = node.op();
  const Value* scale = node.arg(1).value();
  const std::optional<Doubles> bytes = read_numbers(node.arg(0).value());
  const std::optional<Doubles> scales = read_numbers(scale);
  const bool four = op == Op::qd_embedding_4bit || op == Op::qd_embedding_4bit_dtype;
  const bool two = op == Op::qd_embedding_2bit || op == Op::qd_embedding_2bit_dtype;
  if (!bytes || !scales || scale->dtype() != DType::kFloat32 || scales->empty() ||
      node.arg(0).value()->rank() != 2 ||
      !node.arg(0).value()->constant()->type.dim_order.empty()) {
    return {};
  }
  const int64_t bits = four ? 4 : two ? 2 : 8;
  if (bits < 8 && (node.arg(3).integer() != -(1 << (bits - 1)) ||
                   node.arg(4).integer() != (1 << (bits - 1)) - 1)) {
    return {};
  }
  const size_t fields = static_cast<size_t>(8 / bits);
  const bool is_unsigned = bits == 8 && node.arg(0).value()->dtype() == DType::kUInt8;
  GroupedWeight weight;
  weight.name = node.arg(0).value()->constant()->name;
  weight.rows = static_cast<size_t>(*node.arg(0).value()->sizes()[0].known());
  weight.columns = static_cast<size_t>(*node.arg(0).value()->sizes()[1].known()) * fields;
  const size_t groups = weight.rows == 0 ? 0 : scales->size() / weight.rows;
  if (groups == 0 || weight.columns == 0 || weight.columns % groups != 0) {
    return {};
  }
  weight.group = weight.columns / groups;
  weight.scales = *scales;
  if (node.arg(2).is_value()) {
    const std::optional<Doubles> zeros = read_numbers(node.arg(2).value());
    if (!zeros || zeros->size() != scales->size()) {
      return {};
    }
    weight.zeros = *zeros;
  } else if (is_unsigned) {
    weight.zeros.assign(scales->size(), 0);
  }
  for (double& zero : weight.zeros) {
    zero -= is_unsigned ? 128 : 0;
    if (zero < -128 || zero > 127 || zero != std::nearbyint(zero)) {
      return {};
    }
  }
  for (size_t i = 0; i < weight.rows * weight.columns; ++i) {
    const int64_t byte = static_cast<int64_t>((*bytes)[i / fields]);
    // The first of two 4-bit numbers lies in the high half, the first of four 2-bit ones in the
    // lowest bits; both are stored less their least.
    const size_t place = four ? 1 - i % fields : i % fields;
    weight.numbers.push_back(static_cast<int8_t>(
        bits == 8 ? byte - (is_unsigned ? 128 : 0)
                  : (byte >> (static_cast<int64_t>(place) * bits) & ((1 << bits) - 1)) -
                        (1 << (bits - 1))));
  }
  const DType dtype =
      node.args().size() > 6 && !node.arg(6).is_none() ? node.arg(6).dtype() : DType::kFloat32;
  return looked_up(site, weight, node.arg(5), dtype);
}

}  // namespace cresset::passes::integer_rules
