// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <deque>
#include <unordered_map>

#include "compiler/ir/infer.h"
#include "compiler/passes/decompositions.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

namespace {

enum class Viewing { kNever, kAlways, kIfContiguous, kComputed };

Viewing viewing(Op op) {
  using enum Viewing;
  switch (op) {
#define VIEW(id, when) \
  case Op::id:         \
    return when;
#include "compiler/passes/views.def"
#undef VIEW
    default:
      return kNever;
  }
}

// The rows that view composites come down to.
bool is_view_row(Op op) {
  switch (op) {
    case Op::view_copy:
    case Op::permute_copy:
    case Op::slice_copy_tensor:
    case Op::select_copy_int:
    case Op::expand_copy:
    case Op::unsqueeze_copy:
    case Op::squeeze_copy_dims:
    case Op::diagonal_copy:
    case Op::unfold_copy:
    case Op::as_strided_copy:
    case Op::view_as_real_copy:
    case Op::view_as_complex_copy:
    case Op::alias_copy:
      return true;
    default:
      return false;
  }
}

// One view in a chain: a row whose argument 0 is what it views.
struct Step {
  Op op{};
  std::vector<Argument> args;
  TensorType type;
};

// Memory that several tensors may show.
struct Storage {
  Value* base = nullptr;     // the tensor that it was made as
  Value* current = nullptr;  // what that tensor holds now
  uint32_t generation = 0;   // counts writes
  // Shown by a view that computes (a conjugate), through which writes do not go either way.
  bool computed_from = false;
};

// A tensor as a chain of views of a storage.
struct Alias {
  Storage* storage = nullptr;
  std::vector<Step> steps;
  Value* value = nullptr;  // what it showed at `generation`
  uint32_t generation = 0;
  bool contiguous = true;  // its elements lie in row-major order without gaps
};

bool keeps_contiguous(const Step& step, const TensorType& before) {
  const auto leading_ones = [&](size_t until) {
    for (size_t d = 0; d < until; ++d) {
      if (!(before.sizes[d] == Dim(1))) {
        return false;
      }
    }
    return true;
  };
  switch (step.op) {
    case Op::view_copy:
    case Op::unsqueeze_copy:
    case Op::squeeze_copy_dims:
    case Op::alias_copy:
      return true;
    case Op::select_copy_int:
      return leading_ones(static_cast<size_t>(step.args[1].integer()));
    case Op::slice_copy_tensor:
      return step.args[4] == Argument(1) &&
             leading_ones(static_cast<size_t>(step.args[1].integer()));
    default:
      return false;
  }
}

class Functionalizer {
 public:
  Functionalizer(ir::Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  ir::Error run() {
    for (auto it = graph_.nodes().begin(); it != graph_.nodes().end(); it = next_) {
      place_ = it;
      next_ = std::next(it);  // what a visit adds behind the node is not visited
      at_ = it->get();
      const Node& node = *at_;  // a visit moves at_ on
      if (ir::Error failure = visit(at_)) {
        if (failure.text.find("node '") == std::string::npos) {
          failure.text = ir::describe(node) + ": " + failure.text;
        }
        return failure;
      }
    }
    at_ = nullptr;
    return finish();
  }

 private:
  Alias& alias_of(Value* value) {
    Alias& alias = aliases_[value];
    if (alias.storage == nullptr) {
      storages_.push_back({value, value, 0, false});
      alias.storage = &storages_.back();
      alias.value = value;
      alias.contiguous = value->is_tensor() && value->tensor().dim_order.empty();
    }
    return alias;
  }

  Value* replay(const Step& step, Value* base) {
    std::vector<Argument> args = step.args;
    args[0] = base;
    Builder b(graph_, at_, at_);
    return b.typed(step.op, std::move(args), step.type);
  }

  // What the tensor shows now.
  Value* current(Value* value) {
    const auto found = aliases_.find(value);
    if (found == aliases_.end()) {
      return value;
    }
    Alias& alias = found->second;
    if (alias.generation != alias.storage->generation) {
      Value* shown = alias.storage->current;
      for (const Step& step : alias.steps) {
        shown = replay(step, shown);
      }
      alias.value = shown;
      alias.generation = alias.storage->generation;
      const Alias copy = alias;
      aliases_.insert_or_assign(shown, copy);
      return shown;
    }
    return alias.value;
  }

  Argument current(const Argument& argument) {
    if (argument.is_value()) {
      return current(argument.value());
    }
    if (!argument.is_list()) {
      return argument;
    }
    ArgumentList items;
    for (const Argument& item : argument.list()) {
      items.push_back(current(item));
    }
    return items;
  }

  // `before` with the elements that the step shows replaced.
  Value* inverse(const Step& step, Value* before, Value* shown, ir::Error* failure) {
    Builder b(graph_, at_, at_);
    const auto args_from_1 = [&] {
      std::vector<Argument> args = {before, shown};
      args.insert(args.end(), step.args.begin() + 1, step.args.end());
      return args;
    };
    Value* result = before;
    switch (step.op) {
      case Op::view_copy:
      case Op::unsqueeze_copy:
      case Op::squeeze_copy_dims:
        result = b.view(shown, before->sizes());
        break;
      case Op::alias_copy:
        result = shown;
        break;
      case Op::permute_copy: {
        const Ints order = *step.args[1].int_list();
        Ints inverse(order.size());
        for (size_t i = 0; i < order.size(); ++i) {
          inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
        }
        result = b.permute(shown, inverse);
        break;
      }
      case Op::slice_copy_tensor:
        result = shown->sizes() == before->sizes()
                     ? shown
                     : b.typed(Op::slice_scatter, args_from_1(), before->tensor());
        break;
      case Op::select_copy_int:
        result = b.typed(Op::select_scatter, args_from_1(), before->tensor());
        break;
      case Op::diagonal_copy:
        result = b.typed(Op::diagonal_scatter, args_from_1(), before->tensor());
        break;
      case Op::as_strided_copy:
        result = b.typed(Op::as_strided_scatter, args_from_1(), before->tensor());
        break;
      case Op::view_as_real_copy:
        result = b.typed(Op::view_as_complex_copy, {shown}, before->tensor());
        break;
      case Op::view_as_complex_copy:
        result = b.typed(Op::view_as_real_copy, {shown}, before->tensor());
        break;
      default:
        if (!(before->sizes() == shown->sizes())) {
          *failure = ir::not_supported("writes through " + std::string(ops::op_info(step.op).name) +
                                       " are not supported");
        }
        result = shown;
    }
    if (b.error()) {
      *failure = b.error();
    }
    return result;
  }

  // The tensor `target` holds `updated` from here on, and so does everything that shows its memory.
  ir::Error write(Value* target, Value* updated) {
    Alias alias = alias_of(target);
    if (alias.storage->computed_from) {
      return ir::not_supported("writes into memory that a conjugate view shows; clone() it first");
    }
    Values chain = {alias.storage->current};
    for (size_t i = 0; i + 1 < alias.steps.size(); ++i) {
      chain.push_back(replay(alias.steps[i], chain.back()));
    }
    Value* whole = updated;
    ir::Error failure;
    for (size_t i = alias.steps.size(); i-- > 0 && failure.ok();) {
      whole = inverse(alias.steps[i], chain[i], whole, &failure);
    }
    if (failure) {
      return failure;
    }
    Storage& storage = *alias.storage;
    storage.current = whole;
    ++storage.generation;
    alias.generation = storage.generation;
    alias.value = updated;
    aliases_.insert_or_assign(target, alias);
    aliases_.insert_or_assign(updated, alias);
    if (whole != updated) {
      const bool contiguous = storage.base->tensor().dim_order.empty();
      aliases_.insert_or_assign(whole, Alias{&storage, {}, whole, storage.generation, contiguous});
    }
    return {};
  }

  ir::Error visit(Node* node) {
    if (ir::Error failure = for_each_body(*node, [&](ir::Graph& body) -> ir::Error {
          if (ir::Error inner = functionalize(body, context_)) {
            return inner;
          }
          for (const ir::UserInput& input : body.inputs) {
            if (input.update != nullptr) {
              return ir::not_supported("a body of control flow writes into '" + input.name +
                                       "', a tensor from outside");
            }
          }
          return {};
        })) {
      return failure;
    }
    const std::vector<Argument> as_written = node->args();
    for (size_t i = 0; i < node->args().size(); ++i) {
      Argument now = current(node->arg(i));
      if (!(now == node->arg(i))) {
        node->set_arg(i, std::move(now));
      }
    }
    const Viewing shows = viewing(node->op());
    if (shows != Viewing::kNever && is_tensor(as_written[0])) {
      const Op op = node->op();
      const bool drops =
          (op == Op::dropout || op == Op::feature_dropout) && node->arg("train") == Argument(true);
      if (!drops) {
        return view(node, shows);
      }
    }
    if (updates_statistics(*node)) {
      return train_batch_norm(node, as_written);
    }
    if (writes_any_argument(*node)) {
      return write_arguments(node, as_written);
    }
    if (node->in_place || (node->schema().arg_count > 0 && node->schema().args[0].writes)) {
      return write_node(node, as_written[0]);
    }
    for (size_t i = 0; i < node->schema().arg_count; ++i) {
      if (node->schema().args[i].writes && !node->arg(i).is_none() &&
          node->op() != Op::_native_batch_norm_legit) {  // writes in training only
        return ir::not_supported("writes into argument '" +
                                 std::string(node->schema().args[i].name) + "'");
      }
    }
    return {};
  }

  ir::Error view(Node* node, Viewing shows) {
    Value* base = node->arg(0).value();
    const Alias base_alias = alias_of(base);
    const bool aliases = shows != Viewing::kIfContiguous || base_alias.contiguous;
    const Decomposition decomposition = find_decomposition(node->op());
    if (decomposition == nullptr) {
      return ir::not_supported("this view is not supported");
    }
    const bool first = place_ == graph_.nodes().begin();
    const auto last = first ? place_ : std::prev(place_);
    const auto made = apply(decomposition, graph_, node);
    if (!made.ok()) {
      return made.error();
    }
    for (auto it = first ? graph_.nodes().begin() : std::next(last); it->get() != node; ++it) {
      const Node& step_node = **it;
      if (!aliases || !is_view_row(step_node.op())) {
        continue;
      }
      Alias alias = alias_of(step_node.arg(0).value());
      Step step{step_node.op(), step_node.args(), step_node.result()->tensor()};
      alias.contiguous =
          alias.contiguous && keeps_contiguous(step, step_node.arg(0).value()->tensor());
      alias.steps.push_back(std::move(step));
      alias.value = step_node.result();
      aliases_.insert_or_assign(step_node.result(), std::move(alias));
    }
    for (size_t i = 0; i < node->results().size() && i < made->size(); ++i) {
      Value* value = (*made)[i];
      if (!aliases && value == base) {
        value = Builder(graph_, node, node).typed(Op::clone, {value}, value->tensor());
      }
      if (shows == Viewing::kComputed && value != base) {
        Storage* const storage = base_alias.storage;
        storage->computed_from = true;
        aliases_.insert_or_assign(value, Alias{storage, {}, value, storage->generation, false});
      }
      const Alias alias = alias_of(value);
      aliases_.insert_or_assign(node->result(i), alias);
    }
    dead_.push_back(node);
    return {};
  }

  // batch_norm in training has no trailing underscore, yet it writes its running statistics.
  static bool updates_statistics(const Node& node) {
    switch (node.op()) {
      case Op::batch_norm:
      case Op::native_batch_norm:
      case Op::_native_batch_norm_legit:
        return node.arg("training") == Argument(true);
      case Op::instance_norm:
        return node.arg("use_input_stats") == Argument(true) && node.arg("running_mean").is_value();
      case Op::_batch_norm_with_update:
        return true;
      default:
        return false;
    }
  }

  ir::Error train_batch_norm(Node* node, const std::vector<Argument>& as_written) {
    Builder b(graph_, node, node);
    Value* x = b.in(0);
    const size_t mean_at = static_cast<size_t>(node->schema().find("running_mean"));
    const double momentum = node->arg("momentum").number();
    const double eps = node->arg("eps").number();
    const bool per_instance = node->op() == Op::instance_norm;
    Value* mean = nullptr;
    Value* rstd = nullptr;
    Value* y = nullptr;
    if (per_instance) {
      y = b.typed(
          Op::instance_norm,
          {x, node->arg(1), node->arg(2), Argument(), Argument(), true, momentum, eps, false},
          node->result()->tensor());
    } else {
      y = b.cast(batch_norm_training(b, x, b.in(1), b.in(2), eps, &mean, &rstd),
                 node->result()->dtype());
    }
    if (node->arg(mean_at).is_value()) {
      Ints over;
      for (size_t d = per_instance ? 2 : 0; d < x->rank(); ++d) {
        if (d != 1) {
          over.push_back(static_cast<int64_t>(d));
        }
      }
      Value* wide = b.widened(x);
      Value* batch_mean = b.mean(wide, over, false);
      Value* batch_var =
          b.call(Op::var_correction, {wide, Argument::ints(over), Argument(1), false});
      if (per_instance) {
        batch_mean = b.mean(batch_mean, {0}, false);
        batch_var = b.mean(batch_var, {0}, false);
      }
      for (size_t i = 0; i < 2 && !b.error(); ++i) {
        Value* running = node->arg(mean_at + i).value();
        Value* updated =
            b.add(b.mul(running, 1 - momentum), b.mul(i == 0 ? batch_mean : batch_var, momentum));
        updated = b.cast(updated, running->dtype());
        if (ir::Error failure = write(as_written[mean_at + i].value(), updated)) {
          return failure;
        }
      }
    }
    if (b.error()) {
      return b.error();
    }
    const Values results = {y, mean, rstd};
    for (size_t i = 0; i < node->results().size(); ++i) {
      Value* value = i < 3 ? results[i] : nullptr;
      if (i == 3) {  // room that only training on other devices needs
        value = b.full(node->result(i)->sizes(), Scalar::of_int(0), node->result(i)->dtype());
      }
      if (value == nullptr || value->sizes() != node->result(i)->sizes()) {
        if (graph_.is_used(node->result(i))) {
          return ir::not_supported("result " + std::to_string(i) + " of batch norm is used");
        }
        continue;
      }
      value = b.cast(value, node->result(i)->dtype());
      const Alias alias = alias_of(value);
      aliases_.insert_or_assign(node->result(i), alias);
    }
    dead_.push_back(node);
    return b.error();
  }

  // Operators of the application, and those whose decompositions give what the arguments hold
  // afterwards behind the results.
  static bool writes_any_argument(const Node& node) {
    bool any = false;
    node.for_each_written([&](const Value*) { any = true; });
    const bool rewritten = node.info().composite || node.op() == Op::update_cache;
    return any && (node.op() == Op::kCount || (rewritten && !node.schema().args[0].writes &&
                                               find_decomposition(node.op()) != nullptr));
  }

  ir::Error write_arguments(Node* node, const std::vector<Argument>& as_written) {
    Values targets;
    for (size_t i = 0; i < node->schema().arg_count; ++i) {
      if (node->schema().args[i].writes) {
        ir::for_each_value_in(as_written[i], [&](Value* target) { targets.push_back(target); });
      }
    }
    Values made;
    if (const Decomposition decomposition = find_decomposition(node->op())) {
      auto rewritten = apply(decomposition, graph_, node);
      if (!rewritten.ok()) {
        return rewritten.error();
      }
      made = std::move(*rewritten);
    } else {
      std::vector<ir::Type> types;
      for (const Value* result : node->results()) {
        types.push_back(result->type);
      }
      for (const Value* target : targets) {
        types.push_back(ir::Type::of(target->tensor()));
      }
      Node* writer = graph_.add_node(node->info(), node->args(), std::move(types), node);
      writer->writes_copies = true;
      writer->debug_handle = node->debug_handle;
      writer->source = node->source;
      made = writer->results();
    }
    const size_t returned = node->results().size();
    if (made.size() != returned + targets.size()) {
      return ir::error(Status::kInternal, "rewritten to another number of results");
    }
    for (size_t i = 0; i < returned; ++i) {
      const Alias alias = alias_of(made[i]);
      aliases_.insert_or_assign(node->result(i), alias);
    }
    for (size_t i = 0; i < targets.size(); ++i) {
      if (ir::Error failure = write(targets[i], made[returned + i])) {
        return failure;
      }
    }
    dead_.push_back(node);
    return {};
  }

  // The value that an in-place node gives its target.
  ir::Error write_node(Node* node, const Argument& target_argument) {
    if (!is_tensor(target_argument)) {
      return ir::bad_model("writes into an argument that is not a tensor");
    }
    Value* target = target_argument.value();
    const TensorType type = node->arg(0).value()->tensor();
    node->in_place = false;
    Builder b(graph_, node, node);
    Value* updated = nullptr;
    if (node->op() == Op::copy_) {
      const Argument& source = node->arg(1);
      updated = is_tensor(source) ? b.expand(b.cast(source.value(), type.dtype), type.sizes)
                                  : b.call(Op::full_like, {node->arg(0), source});
      if (is_tensor(source) && updated == source.value()) {
        updated = b.typed(Op::clone, {updated}, updated->tensor());  // a tensor of its own
      }
      dead_.push_back(node);
    } else {
      if (node->op() == Op::index_put_) {
        node->set_op(ops::op_info(Op::index_put), node->args());
      } else if (node->op() == Op::floor_divide_tensor) {
        node->set_op(ops::op_info(Op::floor_divide), node->args());
      } else if (node->op() == Op::ldexp_) {
        node->set_op(ops::op_info(Op::ldexp_tensor), node->args());
      }
      if (node->results().size() != 1) {
        return ir::not_supported("writes into '" + target->name + "'");
      }
      updated = node->result();
      // The operator computes in the promoted dtype; the tensor keeps its own.
      if (ops::is_row(node->op()) && (node->info().traits & ops::kElementwise) != 0) {
        const auto types = ir::infer(node->info(), node->args());
        if (types.ok() && (*types)[0].tensor.dtype != type.dtype) {
          updated->type.tensor.dtype = (*types)[0].tensor.dtype;
          Builder after(graph_, next_node(), node);
          updated = after.cast(updated, type.dtype);
        }
      }
    }
    if (b.error()) {
      return b.error();
    }
    if (node->op() != Op::copy_) {
      at_ = next_node();  // `updated` is ready behind the node only
    }
    if (ir::Error failure = write(target, updated)) {
      return failure;
    }
    const Alias alias = alias_of(target);
    aliases_.insert_or_assign(node->result(), alias);
    return {};
  }

  Node* next_node() const { return next_ == graph_.nodes().end() ? nullptr : next_->get(); }

  ir::Error finish() {
    for (Argument& output : graph_.outputs) {
      output = current(output);
    }
    for (ir::UserInput& input : graph_.inputs) {
      if (input.value != nullptr) {
        input.update = updated(input.value, input.update);
      }
    }
    for (ir::Buffer& buffer : graph_.buffers) {
      buffer.update = updated(buffer.value, buffer.update);
    }
    std::vector<std::pair<Value*, Value*>> written_constants;
    for (const Storage& storage : storages_) {
      if (storage.base->origin() == Value::Origin::kConstant && storage.generation > 0) {
        written_constants.emplace_back(storage.base, storage.current);
      }
    }
    for (const auto& [constant, contents] : written_constants) {
      Value* buffer = graph_.add_buffer(constant->name, constant->constant());
      Value* last = contents == constant ? buffer : contents;
      graph_.buffers.back().update = last;
      graph_.replace_uses(constant, buffer);
    }
    for (auto it = dead_.rbegin(); it != dead_.rend(); ++it) {
      graph_.erase(*it);
    }
    return refuse_overlaps();
  }

  // State is memory of its own: what else shows a part of it would miss the writes.
  ir::Error refuse_overlaps() const {
    std::vector<std::pair<std::string, const ir::Constant*>> stored;
    for (const auto& value : graph_.values()) {
      if (value->origin() == Value::Origin::kConstant && graph_.is_used(value.get())) {
        stored.emplace_back(value->constant()->name, value->constant().get());
      }
    }
    for (const ir::Buffer& buffer : graph_.buffers) {
      stored.emplace_back(buffer.name, buffer.initial.get());
    }
    for (const ir::Buffer& buffer : graph_.buffers) {
      for (const auto& [name, other] : stored) {
        if (buffer.update != nullptr && other != buffer.initial.get() &&
            ir::may_overlap(*other, *buffer.initial)) {
          return ir::not_supported("'" + buffer.name + "' is written, and '" + name +
                                   "' is another view of the same memory; give each a memory of "
                                   "its own (clone()), or make one a view of the other in forward");
        }
      }
    }
    return {};
  }

  Value* updated(Value* base, Value* recorded) {
    const auto found = aliases_.find(base);
    if (found != aliases_.end() && found->second.storage->base == base &&
        found->second.storage->generation > 0) {
      return found->second.storage->current;
    }
    return recorded == nullptr ? nullptr : current(recorded);
  }

  ir::Graph& graph_;
  const PassContext& context_;
  Node* at_ = nullptr;  // new nodes stand before it
  ir::Graph::Nodes::iterator place_, next_;
  std::unordered_map<Value*, Alias> aliases_;
  std::deque<Storage> storages_;
  std::vector<Node*> dead_;
};

}  // namespace

ir::Error functionalize(ir::Graph& graph, const PassContext& context) {
  return Functionalizer(graph, context).run();
}

}  // namespace cresset::passes
