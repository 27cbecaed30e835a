// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/builder.h"

#include <algorithm>
#include <numeric>

#include "compiler/ir/infer.h"
#include "core/tensor.h"

namespace cresset::passes {

Dim numel(const Dims& sizes) {
  Dim product(1);
  for (const Dim& size : sizes) {
    product = product * size;
  }
  return product;
}

Ints counted(size_t n, int64_t from) {
  Ints result(n);
  std::iota(result.begin(), result.end(), from);
  return result;
}

Value* Builder::placeholder() {
  // As many dimensions as a tensor may have, so that code which goes on regardless stays in bounds.
  static Value* value = [] {
    auto* made = new Value;
    made->type = Type::of({DType::kFloat32, Dims(kMaxRank, Dim(1)), {}});
    return made;
  }();
  return value;
}

Value* Builder::fail(std::string text) {
  if (error_.ok()) {
    error_ = ir::not_supported(std::move(text));
  }
  return placeholder();
}

Values Builder::unsupported(const std::string& what) {
  return Values(std::max<size_t>(node().results().size(), 1), fail(what));
}

Value* Builder::in(size_t i) const {
  const Argument& argument = origin_->arg(i);
  return argument.is_value() ? argument.value() : nullptr;
}

int64_t Builder::integer(size_t i) {
  const std::optional<int64_t> known = dim(i).known();
  if (!known) {
    fail("argument '" + std::string(node().schema().args[i].name) + "' must be a number");
  }
  return known.value_or(0);
}

double Builder::number(size_t i) {
  if (!node().arg(i).is_number()) {
    fail("argument '" + std::string(node().schema().args[i].name) + "' must be a number");
    return 0;
  }
  return node().arg(i).number();
}

Dim Builder::dim(size_t i) {
  const Argument& argument = node().arg(i);
  if (argument.is_value()) {
    return argument.value()->type.value;
  }
  return argument.is_int() || argument.is_bool() ? Dim(argument.integer())
         : argument.is_double()                  ? Dim(static_cast<int64_t>(argument.number()))
                                                 : Dim(0);
}

Dims Builder::dims(size_t i) {
  Dims result;
  const Argument& argument = node().arg(i);
  if (argument.is_none()) {
    return result;
  }
  if (!argument.is_list()) {
    return {dim(i)};
  }
  for (const Argument& item : argument.list()) {
    result.push_back(item.is_value() ? item.value()->type.value
                                     : Dim(item.is_double() ? static_cast<int64_t>(item.number())
                                                            : item.integer()));
  }
  return result;
}

Ints Builder::ints(size_t i) {
  Ints result;
  for (const Dim& dim : dims(i)) {
    if (!dim.is_known()) {
      fail("argument '" + std::string(node().schema().args[i].name) + "' must hold numbers");
    }
    result.push_back(dim.known().value_or(1));
  }
  return result;
}

Values Builder::tensors(size_t i) {
  Values result;
  const Argument& argument = node().arg(i);
  if (argument.is_list()) {
    for (const Argument& item : argument.list()) {
      result.push_back(item.is_value() ? item.value() : nullptr);
    }
  }
  return result;
}

namespace {

size_t wrapped(int64_t dim, size_t rank) {
  const int64_t n = static_cast<int64_t>(std::max<size_t>(rank, 1));
  return static_cast<size_t>(dim < 0 ? std::max<int64_t>(dim + n, 0) : std::min(dim, n - 1));
}

}  // namespace

size_t Builder::checked(int64_t dim, size_t rank) {
  const int64_t n = static_cast<int64_t>(std::max<size_t>(rank, 1));
  if (dim < -n || dim >= n) {
    fail("dim " + std::to_string(dim) + " is out of range [" + std::to_string(-n) + ", " +
         std::to_string(n - 1) + "]");
  }
  return wrapped(dim, rank);
}

size_t Builder::axis(size_t i, size_t rank) { return checked(has(i) ? integer(i) : -1, rank); }

std::vector<size_t> Builder::axes(size_t i, size_t rank) {
  std::vector<size_t> result;
  for (const int64_t dim : ints(i)) {
    result.push_back(checked(dim, rank));
    if (std::count(result.begin(), result.end(), result.back()) > 1) {
      fail("dim " + std::to_string(dim) + " appears twice");
    }
  }
  return result;
}

DType Builder::dtype(size_t i, DType otherwise) const {
  return node().arg(i).is_dtype() ? node().arg(i).dtype() : otherwise;
}

// -- Nodes.

Node* Builder::insert(Op op, std::vector<Argument> args, std::vector<Type> types) {
  Node* node = graph_.add_node(op, std::move(args), std::move(types), before_);
  if (origin_ != nullptr) {
    node->debug_handle = origin_->debug_handle;
    node->source = origin_->source;
  }
  return node;
}

Values Builder::calls(Op op, std::vector<Argument> args, size_t list_results) {
  if (error_) {
    return Values(ops::op_info(op).schema.return_count + list_results, placeholder());
  }
  ir::Expected<std::vector<Type>> types = ir::infer(ops::op_info(op), args, list_results);
  if (!types.ok()) {
    error_ = types.error();
    return calls(op, {}, list_results);
  }
  return insert(op, std::move(args), std::move(*types))->results();
}

Value* Builder::call(Op op, std::vector<Argument> args) { return calls(op, std::move(args))[0]; }

Values Builder::typed_calls(Op op, std::vector<Argument> args, std::vector<Type> types) {
  if (error_) {
    return Values(types.size(), placeholder());
  }
  return insert(op, std::move(args), std::move(types))->results();
}

Value* Builder::typed(Op op, std::vector<Argument> args, TensorType type) {
  return typed_calls(op, std::move(args), {Type::of(std::move(type))})[0];
}

Value* Builder::scalar(Scalar value, DType dtype) {
  return error_ ? placeholder() : constant(ir::make_scalar_constant("number", dtype, value));
}

Value* Builder::int_tensor(const Ints& values) {
  return error_ ? placeholder()
                : constant(ir::make_constant(
                      "numbers", {DType::kInt64, {Dim(static_cast<int64_t>(values.size()))}, {}},
                      values.data(), values.size() * sizeof(int64_t)));
}

Value* Builder::full(const Dims& sizes, Scalar value, DType dtype) {
  if (sizes.empty()) {
    return scalar(value, dtype);
  }
  return typed(Op::full, {arguments(sizes), value, dtype}, {dtype, sizes, {}});
}

Value* Builder::iota(const Dim& count, DType dtype) {
  return typed(Op::arange_start_step, {0, argument(count), 1, dtype}, {dtype, {count}, {}});
}

// -- Sizes.

Dim Builder::size(const Value* x, int64_t dim) const {
  return x->rank() == 0 ? Dim(1) : x->sizes()[wrapped(dim, x->rank())];
}

namespace {

// The dimension of a tensor that has this size.
std::optional<size_t> dimension_of(const Value* value, const Dim& size) {
  if (value->is_tensor()) {
    for (size_t d = 0; d < value->rank(); ++d) {
      if (value->sizes()[d] == size) {
        return d;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool Builder::find_size(const Dim& dim, Argument* found) {
  Value* tensor = nullptr;
  size_t at = 0;
  const auto look = [&](Value* value) {
    if (value->type.kind == Type::Kind::kInt && value->type.value == dim) {
      *found = value;
      return true;
    }
    if (const std::optional<size_t> d = dimension_of(value, dim); tensor == nullptr && d) {
      tensor = value;
      at = *d;
    }
    return false;
  };
  bool done = false;
  if (origin_ != nullptr && origin_->graph() == &graph_) {
    origin_->for_each_value([&](Value* value) { done = done || look(value); });
  }
  for (const ir::UserInput& input : graph_.inputs) {
    done = done || (input.value != nullptr && look(input.value));
  }
  if (!done && tensor == nullptr) {
    for (const std::unique_ptr<Node>& node : graph_.nodes()) {
      if (node.get() == before_ || done || tensor != nullptr) {
        break;
      }
      for (Value* result : node->results()) {
        done = done || look(result);
      }
    }
  }
  if (!done && tensor != nullptr) {
    *found =
        typed_calls(Op::sym_size_int, {tensor, static_cast<int64_t>(at)}, {Type::of_int(dim)})[0];
    done = true;
  }
  return done;
}

Value* Builder::prim(Op op, Argument a, Argument b, const Dim& value) {
  return typed_calls(op, {std::move(a), std::move(b)}, {Type::of_int(value)})[0];
}

Argument Builder::compute(const Dim& dim) {
  Argument sum;
  Dim sum_value(0);
  for (const Dim::Term& term : dim.terms()) {
    Argument product;
    Dim product_value(term.coefficient);
    if (term.factors.empty() || term.coefficient != 1) {
      product = term.coefficient;
    }
    for (const ir::Atom& atom : term.factors) {
      const std::string& text = atom.text;
      const Dim atom_value = atom.kind == ir::Atom::Kind::kSymbol ? Dim::symbol(text)
                             : atom.args.size() == 2 ? Dim::function(atom.kind, atom.args)
                                                     : Dim::unknown(text);
      Argument factor;
      if (!find_size(atom_value, &factor)) {
        if (atom.args.size() != 2) {
          fail("the size " + text + " is not known where it is needed");
          return 1;
        }
        const Op op = atom.kind == ir::Atom::Kind::kFloorDiv ? Op::prim_floordiv
                      : atom.kind == ir::Atom::Kind::kMod    ? Op::prim_mod
                      : atom.kind == ir::Atom::Kind::kMax    ? Op::prim_sym_max
                                                             : Op::prim_sym_min;
        Argument left = argument(atom.args[0]);
        factor = prim(op, std::move(left), argument(atom.args[1]), atom_value);
      }
      const Dim before = product_value;
      product_value = product_value * atom_value;
      product = product.is_none() ? factor : prim(Op::prim_mul, product, factor, product_value);
    }
    const Dim total = sum_value + product_value;
    sum = sum.is_none() ? product : Argument(prim(Op::prim_add, sum, product, total));
    sum_value = total;
  }
  return sum.is_none() ? Argument(0) : sum;
}

Argument Builder::argument(const Dim& dim) {
  if (error_) {
    return 1;
  }
  if (dim.is_known()) {
    return *dim.known();
  }
  Argument found;
  return find_size(dim, &found) ? found : compute(dim);
}

Argument Builder::arguments(const Dims& dims) {
  ArgumentList list;
  for (const Dim& dim : dims) {
    list.push_back(argument(dim));
  }
  return list;
}

// -- Elementwise.

Value* Builder::binary(Op tensors, Op scalar, Argument a, Argument b) {
  if (!is_tensor(b)) {
    return call(scalar, {std::move(a), std::move(b)});
  }
  return call(tensors, {std::move(a), std::move(b)});
}

Value* Builder::add(Argument a, Argument b) {
  return is_tensor(a) ? binary(Op::add_tensor, Op::add_scalar, a, b)
                      : binary(Op::add_tensor, Op::add_scalar, b, a);
}

Value* Builder::sub(Argument a, Argument b) {
  return is_tensor(a) ? binary(Op::sub_tensor, Op::sub_scalar, a, b)
                      : call(Op::rsub_scalar, {b, a});
}

Value* Builder::mul(Argument a, Argument b) {
  return is_tensor(a) ? binary(Op::mul_tensor, Op::mul_scalar, a, b)
                      : binary(Op::mul_tensor, Op::mul_scalar, b, a);
}

Value* Builder::div(Argument a, Argument b) {
  if (is_tensor(a)) {
    return binary(Op::div_tensor, Op::div_scalar, a, b);
  }
  Value* inverse = call(Op::reciprocal, {b});
  return a.is_number() && a.number() == 1 ? inverse : mul(inverse, a);
}

Value* Builder::pow(Argument a, Argument b) {
  return !is_tensor(a) ? call(Op::pow_scalar, {a, b})
                       : binary(Op::pow_tensor_tensor, Op::pow_tensor_scalar, a, b);
}

Value* Builder::maximum(Argument a, Argument b) {
  if (!is_tensor(a)) {
    std::swap(a, b);
  }
  return is_tensor(b) ? call(Op::maximum, {a, b}) : call(Op::clamp, {a, b});
}

Value* Builder::minimum(Argument a, Argument b) {
  if (!is_tensor(a)) {
    std::swap(a, b);
  }
  return is_tensor(b) ? call(Op::minimum, {a, b}) : call(Op::clamp, {a, Argument(), b});
}

Value* Builder::clamp(Value* x, Argument low, Argument high) {
  return call(Op::clamp, {x, std::move(low), std::move(high)});
}

Value* Builder::where(Value* condition, Argument yes, Argument no) {
  const auto as_tensor = [&](const Argument& side, const Argument& other) -> Argument {
    if (is_tensor(side)) {
      return side;
    }
    const DType dtype = is_tensor(other) ? other.value()->dtype() : DType::kFloat32;
    return scalar(side.scalar(), dtype);
  };
  const Argument left = as_tensor(yes, no);
  return call(Op::where_self, {condition, left, as_tensor(no, left)});
}

Value* Builder::truth(Value* x) { return x->dtype() == DType::kBool ? x : ne(x, 0); }

// -- Dtypes.

Value* Builder::cast(Value* x, DType dtype) {
  if (x->dtype() == dtype || error_) {
    return x;
  }
  return typed(Op::_to_copy, {x, dtype}, {dtype, x->sizes(), x->tensor().dim_order});
}

Value* Builder::widened(Value* x) {
  return is_integral(x->dtype()) || x->dtype() == DType::kFloat16 || x->dtype() == DType::kBFloat16
             ? cast(x, DType::kFloat32)
             : x;
}

// -- Shapes.

Value* Builder::view(Value* x, Dims sizes) {
  if (x->sizes() == sizes || error_) {
    return x;
  }
  size_t symbolic = 0;
  bool empty = false;
  for (const Dim& size : sizes) {
    symbolic += size.is_known() ? 0 : 1;
    empty = empty || size == Dim(0);
  }
  Argument list;
  if (symbolic == 1 && !empty) {
    ArgumentList items;
    for (const Dim& size : sizes) {
      items.push_back(size.known().value_or(-1));
    }
    list = std::move(items);
  } else {
    list = arguments(sizes);
  }
  return typed(Op::view_copy, {x, std::move(list)}, {x->dtype(), std::move(sizes), {}});
}

Value* Builder::permute(Value* x, Ints dims) {
  Dims sizes;
  for (int64_t& dim : dims) {
    dim = static_cast<int64_t>(wrapped(dim, x->rank()));
    sizes.push_back(size(x, dim));
  }
  return dims == counted(x->rank())
             ? x
             : typed(Op::permute_copy, {x, Argument::ints(dims)}, {x->dtype(), sizes, {}});
}

Value* Builder::transpose(Value* x, int64_t a, int64_t b) {
  Ints order = counted(x->rank());
  if (order.empty()) {
    return x;
  }
  std::swap(order[wrapped(a, x->rank())], order[wrapped(b, x->rank())]);
  return permute(x, order);
}

Value* Builder::expand(Value* x, const Dims& sizes) {
  if (x->sizes() == sizes) {
    return x;
  }
  return typed(Op::expand_copy, {x, arguments(sizes)}, {x->dtype(), sizes, {}});
}

Value* Builder::unsqueeze(Value* x, int64_t dim) {
  const size_t at = wrapped(dim, x->rank() + 1);
  Dims sizes = x->sizes();
  sizes.insert(sizes.begin() + static_cast<int64_t>(at), Dim(1));
  return typed(Op::unsqueeze_copy, {x, static_cast<int64_t>(at)}, {x->dtype(), sizes, {}});
}

Value* Builder::squeeze(Value* x, int64_t dim) {
  const size_t at = wrapped(dim, x->rank());
  Dims sizes = x->sizes();
  if (at < sizes.size()) {
    sizes.erase(sizes.begin() + static_cast<int64_t>(at));
  }
  return typed(Op::squeeze_copy_dims, {x, Argument::ints({static_cast<int64_t>(at)})},
               {x->dtype(), sizes, {}});
}

Value* Builder::select(Value* x, int64_t dim, const Dim& index) {
  const size_t at = wrapped(dim, x->rank());
  Dims sizes = x->sizes();
  if (at < sizes.size()) {
    sizes.erase(sizes.begin() + static_cast<int64_t>(at));
  }
  return typed(Op::select_copy_int, {x, static_cast<int64_t>(at), argument(index)},
               {x->dtype(), sizes, {}});
}

Value* Builder::slice(Value* x, int64_t dim, Argument start, Argument end, const Dim& step,
                      const Dim& length) {
  const size_t at = wrapped(dim, x->rank());
  Dims sizes = x->sizes();
  if (at < sizes.size()) {
    sizes[at] = length;
  }
  return typed(Op::slice_copy_tensor,
               {x, static_cast<int64_t>(at), std::move(start), std::move(end), argument(step)},
               {x->dtype(), sizes, {}});
}

Value* Builder::narrow(Value* x, int64_t dim, const Dim& start, const Dim& length) {
  if (start == Dim(0) && length == size(x, dim)) {
    return x;
  }
  Argument first = argument(start);
  return slice(x, dim, std::move(first), argument(start + length), 1, length);
}

Value* Builder::cat(const Values& parts, int64_t dim) {
  return parts.size() == 1 ? parts[0] : call(Op::cat, {Argument::values(parts), dim});
}

Value* Builder::stack(const Values& parts, int64_t dim) {
  Values items;
  for (Value* part : parts) {
    const int64_t rank = static_cast<int64_t>(part->rank());
    items.push_back(unsqueeze(part, dim < 0 ? dim + rank + 1 : dim));
  }
  return items.empty() ? fail("an empty list of tensors")
                       : cat(items, dim < 0 ? dim + static_cast<int64_t>(items[0]->rank()) : dim);
}

Value* Builder::flip(Value* x, const Ints& dims) {
  return dims.empty() ? x : call(Op::flip, {x, Argument::ints(dims)});
}

// -- Products and reductions.

Value* Builder::mm(Value* a, Value* b) { return call(a->rank() == 3 ? Op::bmm : Op::mm, {a, b}); }

Value* Builder::sum(Value* x, const Ints& dims, bool keepdim) {
  return call(Op::sum_dim_intlist, {x, Argument::ints(dims), keepdim});
}
Value* Builder::mean(Value* x, const Ints& dims, bool keepdim) {
  return call(Op::mean_dim, {x, Argument::ints(dims), keepdim});
}
Value* Builder::amax(Value* x, const Ints& dims, bool keepdim) {
  return call(Op::amax, {x, Argument::ints(dims), keepdim});
}
Value* Builder::amin(Value* x, const Ints& dims, bool keepdim) {
  return call(Op::amin, {x, Argument::ints(dims), keepdim});
}
Value* Builder::softmax(Value* x, int64_t dim) { return call(Op::_softmax, {x, dim, false}); }

}  // namespace cresset::passes
