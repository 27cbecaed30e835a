// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "compiler/passes/builder.h"
#include "compiler/passes/constant_numbers.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

// A batch norm with constant statistics: x[c] * factor[c] + shift[c].
struct Norm {
  Value* x = nullptr;
  Doubles factor, shift;
};

std::optional<Norm> read_norm(const ir::Graph& graph, const Node& node) {
  switch (node.op()) {
    case Op::batch_norm:
    case Op::native_batch_norm:
    case Op::_native_batch_norm_legit:
    case Op::_batch_norm_impl_index:
      if (!(node.arg("training") == Argument(false))) {
        return std::nullopt;
      }
      break;
    case Op::_native_batch_norm_legit_no_training:
      break;
    default:
      return std::nullopt;
  }
  for (size_t i = 1; i < node.results().size(); ++i) {
    if (graph.is_used(node.result(i))) {
      return std::nullopt;
    }
  }
  if (!is_tensor(node.arg(0)) || !is_tensor(node.arg(3)) || !is_tensor(node.arg(4))) {
    return std::nullopt;
  }
  const std::optional<Doubles> mean = read_numbers(node.arg(3).value());
  const std::optional<Doubles> variance = read_numbers(node.arg(4).value());
  if (!mean || !variance) {
    return std::nullopt;
  }
  const auto parameter = [&](size_t i, double otherwise) {
    return node.arg(i).is_value() ? read_numbers(node.arg(i).value())
                                  : std::optional<Doubles>(Doubles(mean->size(), otherwise));
  };
  const std::optional<Doubles> gamma = parameter(1, 1);
  const std::optional<Doubles> beta = parameter(2, 0);
  if (!gamma || !beta) {
    return std::nullopt;
  }
  Norm norm;
  norm.x = node.arg(0).value();
  const double eps = node.arg("eps").number();
  for (size_t c = 0; c < mean->size(); ++c) {
    norm.factor.push_back((*gamma)[c] / std::sqrt((*variance)[c] + eps));
    norm.shift.push_back((*beta)[c] - (*mean)[c] * norm.factor[c]);
  }
  return norm;
}

// A convolution or matrix product with constant weights [rows][columns][...], and where a bias is
// added.
struct Product {
  Node* node = nullptr;
  size_t input_at = 0, weight_at = 1;
  Value* weight = nullptr;
  Doubles bias;             // one number an output channel
  bool by_columns = false;  // outputs are columns, inputs rows: transposed
  int64_t groups = 1;
  bool sees_borders = false;  // some outputs see fewer inputs than others

  Value* input() const { return node->arg(input_at).value(); }
  int64_t rows() const { return *weight->sizes()[0].known(); }
  int64_t columns() const { return *weight->sizes()[1].known(); }
  int64_t outputs() const { return by_columns ? columns() * groups : rows(); }
  int64_t output(int64_t row, int64_t column) const {
    return by_columns ? row / (rows() / groups) * columns() + column : row;
  }
  int64_t input(int64_t row, int64_t column) const {
    return by_columns ? row : row / (rows() / groups) * columns() + column;
  }
};

// Where the operator has its arguments; false where it is no product. `channel_rank`: the rank that
// inputs have if dimension 1 is their channel.
bool describe(Node* node, Product* product, size_t* bias_at, size_t* channel_rank) {
  const auto is_one = [](const Argument& a) { return a.is_number() && a.number() == 1; };
  const auto is_zero = [](const Argument& a) {
    if (!a.is_list()) {
      return a == Argument(0) || a == Argument("valid");
    }
    for (const Argument& item : a.list()) {
      if (!(item == Argument(0))) {
        return false;
      }
    }
    return true;
  };
  *product = {};
  product->node = node;
  *bias_at = 2;
  *channel_rank = 2;
  switch (node->op()) {
    case Op::conv_transpose1d:
    case Op::conv_transpose2d_input:
    case Op::conv_transpose3d_input:
      product->by_columns = true;
      break;
    case Op::convolution:
    case Op::_convolution_deprecated:
      product->by_columns = node->arg("transposed").boolean();
      break;
    case Op::conv1d:
    case Op::conv2d:
    case Op::conv3d:
    case Op::conv1d_padding:
    case Op::conv2d_padding:
    case Op::conv3d_padding:
    case Op::_convolution_mode:
      break;
    case Op::linear:
      return true;
    case Op::mm:
      product->by_columns = true;
      return true;
    case Op::addmm:
      product->by_columns = true;
      product->input_at = 1;
      product->weight_at = 2;
      *bias_at = 0;
      return is_one(node->arg("beta")) && is_one(node->arg("alpha"));
    default:
      return false;
  }
  product->groups = node->arg("groups").is_int() ? node->arg("groups").integer() : 0;
  product->sees_borders = product->by_columns || !is_zero(node->arg("padding"));
  *channel_rank = is_tensor(node->arg(1)) ? node->arg(1).value()->rank() : 0;
  return product->groups > 0;
}

// Only where dimension 1 of input and output is the channel.
std::optional<Product> read_product(Node* node) {
  Product product;
  size_t bias_at, channel_rank;
  if (node == nullptr || !describe(node, &product, &bias_at, &channel_rank) ||
      !is_tensor(node->arg(product.input_at)) || !is_tensor(node->arg(product.weight_at)) ||
      product.input()->rank() != channel_rank) {
    return std::nullopt;
  }
  product.weight = node->arg(product.weight_at).value();
  if (product.weight->origin() != Value::Origin::kConstant ||
      is_integral(product.weight->dtype()) || product.weight->rank() < 2) {
    return std::nullopt;
  }
  const size_t outputs = static_cast<size_t>(product.outputs());
  product.bias.assign(outputs, 0);
  if (node->schema().arg_count > bias_at && node->op() != Op::mm && node->arg(bias_at).is_value()) {
    const std::optional<Doubles> bias = read_numbers(node->arg(bias_at).value());
    if (!bias || bias->size() != outputs) {
      return std::nullopt;
    }
    product.bias = *bias;
  }
  return product;
}

// Calls f(row, column, number) for each weight.
template <class F>
void for_each_weight(const Product& product, Doubles* weights, F&& f) {
  const TensorType& type = product.weight->tensor();
  const std::vector<size_t> strides = strides_of(type);
  // Where the weights of one row and column lie.
  std::vector<size_t> inner{0};
  for (size_t d = 2; d < strides.size(); ++d) {
    std::vector<size_t> longer;
    for (const size_t offset : inner) {
      for (size_t i = 0; i < static_cast<size_t>(*type.sizes[d].known()); ++i) {
        longer.push_back(offset + i * strides[d]);
      }
    }
    inner = std::move(longer);
  }
  for (int64_t r = 0; r < product.rows(); ++r) {
    for (int64_t c = 0; c < product.columns(); ++c) {
      const size_t at = static_cast<size_t>(r) * strides[0] + static_cast<size_t>(c) * strides[1];
      for (const size_t offset : inner) {
        f(r, c, (*weights)[at + offset]);
      }
    }
  }
}

void store(ir::Graph& graph, const Product& product, const Doubles& weights) {
  const ir::Constant& old = *product.weight->constant();
  const TensorType bias_type{old.type.dtype, {Dim(product.outputs())}, {}};
  Value* weight = graph.add_constant(write_numbers(old.name, old.type, weights));
  Value* bias = graph.add_constant(write_numbers(old.name + ".bias", bias_type, product.bias));
  Node* node = product.node;
  if (node->op() == Op::mm || node->op() == Op::addmm) {
    node->set_op(ops::op_info(Op::addmm), {bias, product.input(), weight, 1, 1});
  } else {
    node->set_arg(1, weight);
    node->set_arg(2, bias);
  }
}

// The norm of a product's result.
bool fold_behind(ir::Graph& graph, Node* node, const Norm& norm) {
  if (norm.x->users().size() != 1 || graph.output_uses(norm.x) != 0) {
    return false;
  }
  std::optional<Product> product = read_product(norm.x->producer());
  if (!product || product->bias.size() != norm.factor.size()) {
    return false;
  }
  for (size_t c = 0; c < norm.factor.size(); ++c) {
    product->bias[c] = product->bias[c] * norm.factor[c] + norm.shift[c];
  }
  Doubles weights = *read_numbers(product->weight);
  for_each_weight(*product, &weights, [&](int64_t row, int64_t column, double& weight) {
    weight *= norm.factor[static_cast<size_t>(product->output(row, column))];
  });
  store(graph, *product, weights);
  graph.replace_uses(node->result(0), norm.x);
  return true;
}

// The norm of a product's input: every output must see all of what it adds.
bool fold_before(ir::Graph& graph, Node* node, const Norm& norm) {
  Value* y = node->result(0);
  if (y->users().size() != 1 || graph.output_uses(y) != 0) {
    return false;
  }
  std::optional<Product> product = read_product(y->users()[0]);
  if (!product || product->sees_borders || product->input() != y) {
    return false;
  }
  Doubles weights = *read_numbers(product->weight);
  for_each_weight(*product, &weights, [&](int64_t row, int64_t column, double& weight) {
    const size_t c = static_cast<size_t>(product->input(row, column));
    product->bias[static_cast<size_t>(product->output(row, column))] += weight * norm.shift[c];
    weight *= norm.factor[c];
  });
  store(graph, *product, weights);
  graph.replace_uses(y, norm.x);
  return true;
}

}  // namespace

ir::Error fold_batch_norm(ir::Graph& graph, const PassContext& context) {
  for (auto it = graph.nodes().begin(); it != graph.nodes().end();) {
    Node* node = (it++)->get();
    if (ir::Error failure =
            for_each_body(*node, [&](ir::Graph& body) { return fold_batch_norm(body, context); })) {
      return failure;
    }
    const std::optional<Norm> norm = read_norm(graph, *node);
    if (norm && (fold_behind(graph, node, *norm) || fold_before(graph, node, *norm))) {
      graph.erase(node);
    }
  }
  graph.drop_unused_constants();
  return {};
}

}  // namespace cresset::passes
