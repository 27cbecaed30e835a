// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "compiler/passes/builder.h"
#include "compiler/quantizer/low_bits.h"
#include "compiler/quantizer/observe.h"
#include "compiler/quantizer/plan.h"
#include "compiler/quantizer/probe.h"
#include "compiler/quantizer/scheme.h"

// Schemes without ranges of their own: weights of few bits, with float activations, or with ones
// that are quantized by their own extremes while the model runs.
namespace cresset::quantizer {

namespace {

using ir::Argument;
using ir::Dim;
using ir::Node;
using ir::Value;
using ops::Op;
using passes::Builder;

struct LowBitScheme {
  const char* name;
  int bits;
  bool dynamic;
  int64_t group;  // where the user gives none; 0: a row
};

// A constant matrix that a node multiplies or picks rows of.
struct Use {
  Node* node = nullptr;
  size_t at = 0;         // of the constant among the arguments
  bool columns = false;  // an output's weights are a column
  int bits = 8;
};

// A float32 constant matrix with elements.
bool is_matrix(const Argument& argument) {
  if (!argument.is_value() || !argument.value()->is_tensor()) {
    return false;
  }
  const Value* value = argument.value();
  return value->origin() == Value::Origin::kConstant && value->dtype() == DType::kFloat32 &&
         value->rank() == 2 && *passes::numel(value->sizes()).known() != 0;
}

class Quantizer {
 public:
  Quantizer(Job& job, const LowBitScheme& scheme) : job_(job), scheme_(scheme) {}

  ir::Error run() {
    std::vector<Use> uses;
    for (const auto& node : job_.graph.nodes()) {
      consider(node.get(), &uses);
    }
    if (ir::Error failure = learn(uses)) {
      return failure;
    }
    for (const Use& use : uses) {
      if (ir::Error failure = replace(use)) {
        return failure;
      }
    }
    if (uses.empty() || observed_.outputs.empty()) {
      return {};
    }
    const ir::Expected<Comparison> comparison =
        compare(job_.graph, {}, {}, observed_, job_.calibration, job_.context,
                job_.calibration.samples.size());
    if (!comparison.ok()) {
      return comparison.error();
    }
    job_.report.outputs = comparison->outputs;
    return {};
  }

 private:
  NodeReport* line_for(const Node& node) {
    NodeReport line;
    line.node = node.result(0)->name;
    line.op = std::string(node.info().name) +
              (node.info().overload.empty() ? "" : "." + std::string(node.info().overload));
    line.module = node.source.module;
    line.source = node.source.line;
    line.debug_handle = node.debug_handle;
    job_.report.nodes.push_back(std::move(line));
    return &job_.report.nodes.back();
  }

  void leave(const Node& node, const std::string& why, bool wanted = false) {
    NodeReport* const line = line_for(node);
    line->reason = why;
    line->wanted_float = wanted;
  }

  void consider(Node* node, std::vector<Use>* uses) {
    Use use;
    use.node = node;
    use.bits = scheme_.bits;
    size_t x = 0;
    switch (node->op()) {
      case Op::linear:
        use.at = 1;
        break;
      case Op::addmm:
        x = 1;
        use.at = 2;
        use.columns = true;
        break;
      case Op::mm:
      case Op::matmul:
        use.at = 1;
        use.columns = true;
        break;
      case Op::embedding:
        if (job_.options.embedding_bits == 0) {
          return leave(*node, "--embedding-bits says in how many bits tables are kept", true);
        }
        use.bits = static_cast<int>(job_.options.embedding_bits);
        break;
      case Op::bmm:
        return leave(*node, "a product of two activations");
      case Op::conv1d:
      case Op::conv1d_padding:
      case Op::conv2d:
      case Op::conv2d_padding:
      case Op::conv3d:
      case Op::conv_transpose1d:
      case Op::conv_transpose2d_input:
        return leave(*node, fmt::format("{} is for matrix products", scheme_.name));
      case Op::gru_input:
      case Op::lstm_input:
      case Op::rnn_tanh_input:
      case Op::rnn_relu_input:
        return leave(*node, fmt::format("{} does not reach into recurrent layers", scheme_.name));
      default:
        return;
    }
    for (const std::string& pattern : job_.options.keep_float) {
      if (is_named(*node, pattern)) {
        return leave(*node, "--keep-float " + pattern, true);
      }
    }
    if (!is_matrix(node->arg(use.at))) {
      const bool two = use.columns && node->arg(use.at).is_value() &&
                       node->arg(use.at).value()->origin() != Value::Origin::kConstant;
      return leave(*node, two ? "a product of two activations"
                              : "its weights are no constant float32 matrix");
    }
    if (use.at != 0 && (node->arg(x).value()->dtype() != DType::kFloat32 ||
                        !node->arg(x).value()->sizes().back().is_known())) {
      return leave(*node, "its input is no float32 tensor with rows of a fixed length");
    }
    if (use.at == 0 && *node->arg(0).value()->sizes()[1].known() * use.bits % 8 != 0) {
      return leave(*node, "the rows of its table do not fill bytes");
    }
    uses->push_back(use);
  }

  static Value* input_of(const Use& use) { return use.node->arg(use.at - 1).value(); }

  // What products' inputs are like, where there is data.
  ir::Error learn(const std::vector<Use>& uses) {
    if (job_.calibration.samples.empty()) {
      return {};
    }
    std::vector<Value*> watched;
    for (const Use& use : uses) {
      if (use.at != 0 &&
          std::find(watched.begin(), watched.end(), input_of(use)) == watched.end()) {
        watched.push_back(input_of(use));
      }
    }
    ir::Expected<std::unique_ptr<Probe>> probe = Probe::make(job_.graph, watched, job_.context);
    if (!probe.ok()) {
      return probe.error();
    }
    for (const std::vector<eval::Datum>& sample : job_.calibration.samples) {
      ir::Expected<std::vector<eval::Datum>> outputs =
          (*probe)->run(sample, [&](size_t place, const ir::ConstantPtr& tensor) {
            add_moments(floats_of(tensor),
                        static_cast<size_t>(*watched[place]->sizes().back().known()),
                        &moments_[watched[place]]);
          });
      if (!outputs.ok()) {
        return outputs.error();
      }
      observed_.outputs.push_back(*std::move(outputs));
    }
    return {};
  }

  static void add_moments(const std::vector<float>& x, size_t columns,
                          std::vector<double>* moments) {
    moments->resize(columns * columns);
    for (size_t row = 0; row + columns <= x.size(); row += columns) {
      for (size_t i = 0; i < columns; ++i) {
        const double factor = static_cast<double>(x[row + i]);
        for (size_t j = 0; j < columns; ++j) {
          (*moments)[i * columns + j] += factor * static_cast<double>(x[row + j]);
        }
      }
    }
  }

  ir::Error replace(const Use& use) {
    Node* const node = use.node;
    Value* const constant = node->arg(use.at).value();
    std::vector<float> weights = floats_of(constant->constant());
    size_t rows = static_cast<size_t>(*constant->sizes()[0].known());
    size_t columns = static_cast<size_t>(*constant->sizes()[1].known());
    if (use.columns) {
      std::vector<float> turned(weights.size());
      for (size_t i = 0; i < weights.size(); ++i) {
        turned[i % columns * rows + i / columns] = weights[i];
      }
      weights = std::move(turned);
      std::swap(rows, columns);
    }
    const int64_t wanted = job_.options.group_size != 0 ? job_.options.group_size
                           : use.bits == 8              ? 0
                           : scheme_.group != 0         ? scheme_.group
                                                        : kTableGroup;
    const size_t group = wanted == 0 ? columns : std::min(static_cast<size_t>(wanted), columns);
    static const std::vector<double> kNothing;
    const auto known = use.at == 0 ? moments_.end() : moments_.find(input_of(use));
    const LowBitsJob work{weights,  rows,  columns,
                          use.bits, group, known == moments_.end() ? kNothing : known->second};
    const LowBits found =
        job_.options.weights == WeightRule::kMinMax ? round_plainly(work) : search_low_bits(work);
    Builder b(job_.graph, node, node);
    Value* w = dequantized(b, constant->constant()->name, found, rows, columns, group, use.bits);
    node->set_arg(use.at, use.columns ? b.permute(w, {1, 0}) : w);
    if (use.at != 0 && scheme_.dynamic) {
      Value* const x = input_of(use);
      Value*& integers = dynamic_[x];
      integers = integers == nullptr ? requantized(b, x) : integers;
      node->set_arg(use.at - 1, integers);
    }
    NodeReport* const line = line_for(*node);
    line->quantized = true;
    line->scheme = fmt::format(
        "{}int{} weights, {}", use.at != 0 && scheme_.dynamic ? "dynamic int8, " : "", use.bits,
        group == columns ? std::string("a scale a row") : fmt::format("groups of {}", group));
    line->weight_sqnr_db = found.sqnr_db;
    return b.error();
  }

  // As quantized_decomposed has it: rows of one scale each, which then become the matrix.
  static Value* dequantized(Builder& b, const std::string& name, const LowBits& found, size_t rows,
                            size_t columns, size_t group, int bits) {
    const size_t groups = (columns + group - 1) / group;
    std::vector<int8_t> padded(rows * groups * group);
    for (size_t i = 0; i < found.integers.size(); ++i) {
      padded[i / columns * groups * group + i % columns] = found.integers[i];
    }
    const auto dim = [](size_t n) { return Dim(static_cast<int64_t>(n)); };
    const passes::Dims lines{dim(rows * groups), dim(group)};
    const std::vector<int64_t> zeros(rows * groups, 0);
    const auto list = [&](const char* suffix, DType dtype, const void* data, size_t bytes) {
      return b.constant(
          ir::make_constant(name + suffix, {dtype, {dim(rows * groups)}, {}}, data, bytes));
    };
    const int64_t high = (int64_t{1} << (bits - 1)) - 1;
    Value* const integers = b.constant(
        ir::make_constant(name, {DType::kInt8, lines, {}}, padded.data(), padded.size()));
    Value* w = b.typed(
        Op::qd_dequantize_per_channel,
        {integers, list(".scale", DType::kFloat32, found.scales.data(), found.scales.size() * 4),
         list(".zero", DType::kInt64, zeros.data(), zeros.size() * 8), int64_t{0},
         bits == 8 ? -high : -high - 1, high, DType::kInt8, Argument()},
        {DType::kFloat32, lines, {}});
    if (groups > 1) {
      w = b.view(w, {dim(rows), dim(groups * group)});
    }
    return columns < groups * group ? b.narrow(w, 1, Dim(0), dim(columns)) : w;
  }

  static Value* requantized(Builder& b, Value* x) {
    passes::Dims by_row = x->sizes();
    by_row.back() = Dim(1);
    const std::vector<Value*> chosen = b.typed_calls(
        Op::qd_choose_qparams_per_token_asymmetric, {x, DType::kInt8},
        {ir::Type::of({DType::kFloat64, by_row, {}}), ir::Type::of({DType::kInt64, by_row, {}})});
    Value* const q = b.typed(Op::qd_quantize_per_token,
                             {x, chosen[0], chosen[1], int64_t{-128}, int64_t{127}, DType::kInt8},
                             {DType::kInt8, x->sizes(), {}});
    return b.typed(
        Op::qd_dequantize_per_token,
        {q, chosen[0], chosen[1], int64_t{-128}, int64_t{127}, DType::kInt8, DType::kFloat32},
        {DType::kFloat32, x->sizes(), {}});
  }

  static constexpr int64_t kTableGroup = 32;

  Job& job_;
  const LowBitScheme& scheme_;
  Observations observed_;
  std::map<const Value*, std::vector<double>> moments_;
  std::map<const Value*, Value*> dynamic_;
};

ir::Error quantize_low_bits(Job& job, const LowBitScheme& scheme) {
  if (job.options.per_tensor || job.options.max_drop_db) {
    return ir::error(Status::kInvalidArgument,
                     fmt::format("--quantize {}: {} is for int8", scheme.name,
                                 job.options.per_tensor ? "--per-tensor" : "--max-drop"));
  }
  return Quantizer(job, scheme).run();
}

}  // namespace

ir::Error quantize_int8_dynamic(Job& job) {
  return quantize_low_bits(job, {"int8-dynamic", 8, true, 0});
}
ir::Error quantize_dynamic8_int4(Job& job) {
  return quantize_low_bits(job, {"8da4w", 4, true, 32});
}
ir::Error quantize_int4(Job& job) { return quantize_low_bits(job, {"int4", 4, false, 32}); }
ir::Error quantize_int8_weight(Job& job) {
  return quantize_low_bits(job, {"int8-weight", 8, false, 0});
}

}  // namespace cresset::quantizer
