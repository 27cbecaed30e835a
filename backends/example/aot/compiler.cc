// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "backends/example/format.h"
#include "compiler/memory_planner/memory_planner.h"
#include "compiler/partitioner/backend_compiler.h"

namespace cresset::backends::example {

namespace {

using ir::Argument;
using ir::Node;
using ir::Value;
using partitioner::CompiledDelegate;

// Both items of an argument that may be one number for both.
void take_pair(const Argument& argument, int32_t out[2]) {
  const std::vector<int64_t> items =
      argument.is_list() ? *argument.int_list() : std::vector<int64_t>{argument.integer()};
  out[0] = static_cast<int32_t>(items.front());
  out[1] = static_cast<int32_t>(items.back());
}

// One compile() call.
class Writer {
 public:
  explicit Writer(const ir::Graph& graph) : graph_(graph) {}

  ir::Expected<CompiledDelegate> run() {
    header_.magic = kMagic;
    header_.version = kVersion;
    header_.input_count = static_cast<uint32_t>(graph_.inputs.size());
    header_.output_count = static_cast<uint32_t>(graph_.outputs.size());
    uint32_t position = 0;
    for (const ir::UserInput& input : graph_.inputs) {
      add_value(input.value, Place::kArgument, position++);
    }
    for (const Argument& output : graph_.outputs) {
      add_value(output.value(), Place::kArgument, position++);
    }
    for (const auto& node : graph_.nodes()) {
      add_node(*node);
    }
    plan_workspace();
    write();
    return std::move(result_);
  }

 private:
  uint32_t add_value(const Value* value, Place place, uint32_t at) {
    ValueRecord record = {place, at, static_cast<uint32_t>(value->rank()), {}, {}};
    for (size_t d = 0; d < value->rank(); ++d) {
      record.sizes[d] = static_cast<int32_t>(value->sizes()[d].bounds(graph_.ranges).max);
    }
    const uint32_t index = static_cast<uint32_t>(values_.size());
    indices_[value] = index;
    values_.push_back(record);
    lives_.emplace_back();
    return index;
  }

  uint32_t index_of(const Argument& argument) {
    if (argument.is_none()) {
      return kNone;
    }
    const Value* value = argument.value();
    const auto found = indices_.find(value);
    uint32_t index = found == indices_.end() ? kNone : found->second;
    if (index == kNone && value->origin() == Value::Origin::kConstant) {
      const ir::ConstantPtr datum = partitioner::named_constant("example", *value->constant());
      index = add_value(value, Place::kConstant, 0);
      std::strncpy(values_[index].key, datum->name.c_str(), kKeyBytes - 1);
      result_.data.push_back(datum);
    } else if (index == kNone) {
      index = add_value(value, Place::kWorkspace, 0);
      lives_[index].first_use = static_cast<uint32_t>(nodes_.size());
    }
    lives_[index].last_use = static_cast<uint32_t>(nodes_.size());
    return index;
  }

  void add_node(const Node& node) {
    NodeRecord record = {};
    std::fill(record.in, record.in + 3, kNone);
    record.debug_handle = node.debug_handle;
    const auto take = [&](std::initializer_list<const char*> names) {
      size_t i = 0;
      for (const char* name : names) {
        record.in[i++] = index_of(node.arg(name));
      }
    };
    const auto number = [&](const char* name, double otherwise) {
      return static_cast<float>(node.arg(name).is_none() ? otherwise : node.arg(name).number());
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (node.op()) {
      case ops::Op::add_tensor:
      case ops::Op::sub_tensor:
        record.op = Op::kAdd;
        take({"self", "other"});
        record.numbers[0] = number("alpha", 1) * (node.op() == ops::Op::sub_tensor ? -1.0f : 1.0f);
        break;
      case ops::Op::mul_tensor:
        record.op = Op::kMul;
        take({"self", "other"});
        break;
      case ops::Op::relu:
        record.op = Op::kClamp;
        take({"self"});
        record.numbers[1] = std::numeric_limits<float>::infinity();
        break;
      case ops::Op::clamp:
        record.op = Op::kClamp;
        take({"self"});
        record.numbers[0] = number("min", -kInfinity);
        record.numbers[1] = number("max", kInfinity);
        break;
      case ops::Op::linear:
        record.op = Op::kLinear;
        take({"input", "weight", "bias"});
        break;
      default:  // conv2d: supported.def has no other
        record.op = Op::kConv2d;
        take({"input", "weight", "bias"});
        take_pair(node.arg("stride"), record.stride);
        take_pair(node.arg("padding"), record.padding);
        record.groups = static_cast<int32_t>(node.arg("groups").integer());
        break;
    }
    record.out = index_of(Argument(node.result()));
    nodes_.push_back(record);
  }

  // Values that are alive at different times share bytes.
  void plan_workspace() {
    std::vector<memory_planner::Value> planned;
    std::vector<ValueRecord*> records;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].place == Place::kWorkspace) {
        memory_planner::Value& value = lives_[i];
        value.size_bytes = sizeof(float);
        for (uint32_t d = 0; d < values_[i].rank; ++d) {
          value.size_bytes *= static_cast<uint64_t>(values_[i].sizes[d]);
        }
        planned.push_back(value);
        records.push_back(&values_[i]);
      }
    }
    const auto plan = memory_planner::plan_memory(planned);
    for (size_t i = 0; i < records.size(); ++i) {
      records[i]->at = static_cast<uint32_t>(plan->offsets[i]);
    }
    header_.workspace_bytes =
        plan->arenas.empty() ? 0 : static_cast<uint32_t>(plan->arenas[0].size_bytes);
  }

  void write() {
    header_.value_count = static_cast<uint32_t>(values_.size());
    header_.node_count = static_cast<uint32_t>(nodes_.size());
    const auto append = [&](const void* from, size_t bytes) {
      const uint8_t* first = static_cast<const uint8_t*>(from);
      result_.blob.insert(result_.blob.end(), first, first + bytes);
    };
    append(&header_, sizeof(header_));
    append(values_.data(), values_.size() * sizeof(ValueRecord));
    append(nodes_.data(), nodes_.size() * sizeof(NodeRecord));
    result_.notes.push_back("workspace of " + std::to_string(header_.workspace_bytes) + " bytes");
  }

  const ir::Graph& graph_;
  CompiledDelegate result_;
  Header header_ = {};
  std::vector<ValueRecord> values_;
  std::vector<memory_planner::Value> lives_;  // beside values_
  std::vector<NodeRecord> nodes_;
  std::unordered_map<const Value*, uint32_t> indices_;
};

class ExampleCompiler final : public partitioner::BackendCompiler {
 public:
  std::string name() const override { return "example"; }
  std::string id() const override { return "ExampleBackend"; }
  Span<const partitioner::SupportedOp> supported() const override {
    static const std::vector<partitioner::SupportedOp> kRows = {
#define SUPPORTED(op, ...) {ops::Op::op, {__VA_ARGS__}},
#include "backends/example/supported.def"
#undef SUPPORTED
    };
    return kRows;
  }
  bool takes_dynamic_sizes() const override { return true; }
  ir::Expected<CompiledDelegate> compile(const ir::Graph& graph) const override {
    return Writer(graph).run();
  }
};

}  // namespace

const partitioner::BackendCompiler& compiler() {
  static const ExampleCompiler kCompiler;
  return kCompiler;
}

}  // namespace cresset::backends::example
