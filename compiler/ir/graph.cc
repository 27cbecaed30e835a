// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/ir/graph.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>

#include "core/check.h"

namespace cresset::ir {

bool TensorType::is_static() const {
  return std::all_of(sizes.begin(), sizes.end(), [](const Dim& d) { return d.is_known(); });
}

std::vector<uint8_t> TensorType::order() const {
  if (!dim_order.empty()) {
    return dim_order;
  }
  std::vector<uint8_t> order(sizes.size());
  std::iota(order.begin(), order.end(), uint8_t{0});
  return order;
}

bool operator==(const TensorType& a, const TensorType& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.order() == b.order();
}

ConstantPtr make_constant(std::string name, TensorType type, const void* bytes, size_t size_bytes) {
  auto storage = std::make_shared<std::vector<uint8_t>>(size_bytes);
  if (size_bytes != 0) {
    std::memcpy(storage->data(), bytes, size_bytes);
  }
  auto constant = std::make_shared<Constant>();
  constant->name = std::move(name);
  constant->type = std::move(type);
  constant->bytes = storage->data();
  constant->size_bytes = size_bytes;
  constant->owner = std::move(storage);
  return constant;
}

namespace {

template <class T>
ConstantPtr scalar_of(std::string name, DType dtype, Scalar value) {
  const T element = value.to<T>();
  return make_constant(std::move(name), TensorType{dtype, {}, {}}, &element, sizeof(element));
}

}  // namespace

bool may_overlap(const Constant& a, const Constant& b) {
  return a.memory != nullptr && a.memory == b.memory && a.memory_begin < b.memory_end &&
         b.memory_begin < a.memory_end;
}

ConstantPtr make_scalar_constant(std::string name, DType dtype, Scalar value) {
  switch (dtype) {
    case DType::kUInt8:
      return scalar_of<uint8_t>(std::move(name), dtype, value);
    case DType::kInt8:
      return scalar_of<int8_t>(std::move(name), dtype, value);
    case DType::kInt16:
      return scalar_of<int16_t>(std::move(name), dtype, value);
    case DType::kInt32:
      return scalar_of<int32_t>(std::move(name), dtype, value);
    case DType::kInt64:
      return scalar_of<int64_t>(std::move(name), dtype, value);
    case DType::kFloat16:
      return scalar_of<Half>(std::move(name), dtype, value);
    case DType::kBFloat16:
      return scalar_of<BFloat16>(std::move(name), dtype, value);
    case DType::kFloat64:
      return scalar_of<double>(std::move(name), dtype, value);
    case DType::kBool:
      return scalar_of<bool>(std::move(name), dtype, value);
    default:
      return scalar_of<float>(std::move(name), DType::kFloat32, value);
  }
}

Argument::Argument(Scalar v) {
  if (v.is_double()) {
    data = v.to_double();
  } else if (v.kind() == Scalar::Kind::kBool) {
    data = v.to_bool();
  } else {
    data = v.to_int();
  }
}

Argument Argument::ints(const std::vector<int64_t>& values) {
  return ArgumentList(values.begin(), values.end());
}

Argument Argument::values(const std::vector<Value*>& values) {
  return ArgumentList(values.begin(), values.end());
}

Value* Argument::value() const {
  CRESSET_CHECK(is_value());
  return std::get<Value*>(data);
}
int64_t Argument::integer() const {
  CRESSET_CHECK(is_int() || is_bool());
  return is_bool() ? std::get<bool>(data) : std::get<int64_t>(data);
}
bool Argument::boolean() const { return integer() != 0; }
double Argument::number() const {
  return is_double() ? std::get<double>(data) : static_cast<double>(integer());
}
Scalar Argument::scalar() const {
  return is_double() ? Scalar::of_double(std::get<double>(data))
         : is_bool() ? Scalar::of_bool(std::get<bool>(data))
                     : Scalar::of_int(integer());
}
const std::string& Argument::string() const {
  CRESSET_CHECK(is_string());
  return std::get<std::string>(data);
}
DType Argument::dtype() const {
  CRESSET_CHECK(is_dtype());
  return std::get<DType>(data);
}
const ArgumentList& Argument::list() const {
  CRESSET_CHECK(is_list());
  return std::get<ArgumentList>(data);
}
ArgumentList& Argument::list() {
  CRESSET_CHECK(is_list());
  return std::get<ArgumentList>(data);
}
const std::shared_ptr<Graph>& Argument::graph() const {
  CRESSET_CHECK(is_graph());
  return std::get<std::shared_ptr<Graph>>(data);
}

std::optional<std::vector<int64_t>> Argument::int_list() const {
  std::vector<int64_t> ints;
  for (const Argument& item : list()) {
    if (!item.is_int() && !item.is_bool()) {
      return std::nullopt;
    }
    ints.push_back(item.integer());
  }
  return ints;
}

bool operator==(const Argument& a, const Argument& b) { return a.data == b.data; }

const Argument& Node::arg(std::string_view name) const {
  const int i = schema().find(name);
  CRESSET_CHECK(i >= 0);
  return args_[static_cast<size_t>(i)];
}

void Node::set_arg(size_t i, Argument value) {
  for_each_value_in(args_[i], [this](Value* v) {
    v->users_.erase(std::find(v->users_.begin(), v->users_.end(), this));
  });
  for_each_value_in(value, [this](Value* v) { v->users_.push_back(this); });
  args_[i] = std::move(value);
}

void Node::set_arg(std::string_view name, Argument value) {
  const int i = schema().find(name);
  CRESSET_CHECK(i >= 0);
  set_arg(static_cast<size_t>(i), std::move(value));
}

void Node::set_op(const ops::OpInfo& info, std::vector<Argument> args) {
  for (size_t i = 0; i < args_.size(); ++i) {
    set_arg(i, Argument());
  }
  info_ = &info;
  for (size_t i = args.size(); i < info.schema.arg_count; ++i) {
    args.push_back(default_argument(info.schema.args[i]));
  }
  args_.assign(args.size(), Argument());
  for (size_t i = 0; i < args.size(); ++i) {
    set_arg(i, std::move(args[i]));
  }
}

Graph::Graph() = default;
Graph::~Graph() = default;

std::string Graph::unique_name(const std::string& base) {
  const auto [it, fresh] = names_.emplace(base, 0);
  if (fresh) {
    return base;
  }
  while (true) {
    std::string numbered = base + "_" + std::to_string(++it->second);
    if (names_.emplace(numbered, 0).second) {
      return numbered;
    }
  }
}

void Graph::rename(Value* value, const std::string& base) {
  names_.erase(value->name);
  value->name = unique_name(base);
}

Value* Graph::new_value(const std::string& base, Type type, Value::Origin origin) {
  values_.push_back(std::make_unique<Value>());
  Value* value = values_.back().get();
  value->name = unique_name(base);
  value->type = std::move(type);
  value->origin_ = origin;
  value->graph_ = this;
  return value;
}

Value* Graph::add_input(const std::string& path, Type type) {
  Value* value = new_value(path, std::move(type), Value::Origin::kInput);
  inputs.push_back({path, value, {}, nullptr});
  return value;
}

Value* Graph::add_constant(ConstantPtr constant) {
  Value*& known = constants_[constant.get()];
  if (known != nullptr) {
    return known;
  }
  Value* value = new_value(constant->name, Type::of(constant->type), Value::Origin::kConstant);
  value->constant_ = std::move(constant);
  known = value;
  return value;
}

Value* Graph::add_buffer(const std::string& fqn, ConstantPtr initial) {
  Value* value = new_value(fqn, Type::of(initial->type), Value::Origin::kBuffer);
  buffers.push_back({value, fqn, std::move(initial), nullptr});
  return value;
}

Node* Graph::add_node(const ops::OpInfo& info, std::vector<Argument> args,
                      std::vector<Type> results, Node* before) {
  CRESSET_CHECK(args.size() <= info.schema.arg_count);
  const Nodes::iterator place = before == nullptr ? nodes_.end() : before->place_;
  const Nodes::iterator it = nodes_.insert(place, std::make_unique<Node>());
  Node* node = it->get();
  node->graph_ = this;
  node->place_ = it;
  node->set_op(info, std::move(args));
  for (Type& type : results) {
    Value* value = new_value(std::string(info.id), std::move(type), Value::Origin::kNode);
    value->producer_ = node;
    value->result_index_ = node->results_.size();
    node->results_.push_back(value);
  }
  return node;
}

Node* Graph::add_node(ops::Op op, std::vector<Argument> args, std::vector<Type> results,
                      Node* before) {
  return add_node(ops::op_info(op), std::move(args), std::move(results), before);
}

namespace {

Argument replaced(const Argument& argument, Value* from, Value* to) {
  if (argument.is_value()) {
    return argument.value() == from ? Argument(to) : argument;
  }
  if (!argument.is_list()) {
    return argument;
  }
  ArgumentList items;
  for (const Argument& item : argument.list()) {
    items.push_back(replaced(item, from, to));
  }
  return items;
}

}  // namespace

void Graph::replace_uses(Value* from, Value* to) {
  if (from == to) {
    return;
  }
  std::vector<Node*> users = from->users_;
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  for (Node* user : users) {
    for (size_t i = 0; i < user->args_.size(); ++i) {
      bool uses = false;
      for_each_value_in(user->args_[i], [&](Value* v) { uses = uses || v == from; });
      if (uses) {
        user->set_arg(i, replaced(user->args_[i], from, to));
      }
    }
  }
  for (Argument& output : outputs) {
    output = replaced(output, from, to);
  }
  for (Buffer& buffer : buffers) {
    buffer.update = buffer.update == from ? to : buffer.update;
  }
  for (UserInput& input : inputs) {
    input.update = input.update == from ? to : input.update;
  }
}

size_t Graph::output_uses(const Value* value) const {
  size_t count = 0;
  for (const Argument& output : outputs) {
    for_each_value_in(output, [&](const Value* v) { count += v == value; });
  }
  for (const Buffer& buffer : buffers) {
    count += buffer.update == value;
  }
  for (const UserInput& input : inputs) {
    count += input.update == value;
  }
  return count;
}

void Graph::erase(Node* node) {
  for (size_t i = 0; i < node->args_.size(); ++i) {
    node->set_arg(i, Argument());
  }
  for (Value* result : node->results_) {
    CRESSET_CHECK(result->users_.empty());
  }
  const std::vector<Value*> results = node->results_;
  nodes_.erase(node->place_);
  std::erase_if(values_, [&](const std::unique_ptr<Value>& value) {
    return std::find(results.begin(), results.end(), value.get()) != results.end();
  });
}

void Graph::move_before(Node* node, Node* before) {
  nodes_.splice(before->place_, nodes_, node->place_);
}

void Graph::drop_unused_constants() {
  std::erase_if(values_, [this](const std::unique_ptr<Value>& value) {
    const bool unused = value->origin_ == Value::Origin::kConstant && !is_used(value.get());
    if (unused) {
      constants_.erase(value->constant_.get());
    }
    return unused;
  });
}

namespace {

Argument default_scalar(std::string_view text) {
  if (text == "True" || text == "False") {
    return text == "True";
  }
  int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (const auto [p, e] = std::from_chars(text.data(), end, integer);
      e == std::errc() && p == end) {
    return integer;
  }
  double number = 0;
  if (const auto [p, e] = std::from_chars(text.data(), end, number); e == std::errc() && p == end) {
    return number;
  }
  return std::string(text);
}

}  // namespace

Argument default_argument(const ops::SchemaArg& arg) {
  std::string_view text = arg.default_text;
  if (text.empty() || text == "None") {
    return Argument();
  }
  if (text.front() == '[') {
    ArgumentList items;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
      const size_t comma = text.find(',');
      items.push_back(default_scalar(text.substr(0, comma)));
      text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
      while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
      }
    }
    return items;
  }
  const Argument item = default_scalar(text);
  if (arg.list) {
    return ArgumentList(std::max<size_t>(arg.list_length, 1), item);
  }
  if (arg.type == ops::TypeTag::kDType && item.is_int()) {
    return static_cast<DType>(item.integer());
  }
  return item;
}

std::string describe(const Node& node) {
  std::string text = "node '";
  text += node.results().empty() ? std::string(node.info().id) : node.result()->name;
  text += "' (" + std::string(node.info().name);
  if (!node.info().overload.empty()) {
    text += "." + std::string(node.info().overload);
  }
  text += ")";
  if (!node.source.line.empty()) {
    text += ", " + node.source.line;
  }
  if (!node.source.module.empty()) {
    text += ", module " + node.source.module;
  }
  return text;
}

}  // namespace cresset::ir
