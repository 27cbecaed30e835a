// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/compile_report.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "cli/html_report.h"
#include "cli/json.h"
#include "cli/quantize_flags.h"
#include "cli/step_text.h"
#include "ops/op.h"

namespace cresset::cli {
namespace {

Json step_json(const ir::Schedule& method, const ir::Step& step) {
  Json json = Json::object();
  json.set("operator", step_text(method, step));
  if (step.kind != ir::Step::Kind::kKernel && step.kind != ir::Step::Kind::kDelegate) {
    return json;
  }
  const bool delegated = step.kind == ir::Step::Kind::kDelegate;
  json.set("kernel", delegated ? Json() : Json(kernel_text(*step.info)));
  json.set("delegate", delegated ? Json(step.delegate) : Json());
  json.set("debug_handle", step.debug_handle);
  json.set("source", step.source.line);
  json.set("module", step.source.module);
  Json outputs = Json::array();
  for_each_output(step, [&](uint32_t index) {
    const ir::Register& reg = method.registers[index];
    outputs.push(Json::object()
                     .set("name", reg.name)
                     .set("type", type_text(reg))
                     .set("bytes", reg.size_bytes)
                     .set("memory", storage_text(reg)));
  });
  json.set("outputs", std::move(outputs));
  return json;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) {
    list.push(text);
  }
  return list;
}

Json node_json(const partitioner::NodeReport& node) {
  const bool delegated = node.delegate != partitioner::kNotDelegated;
  return Json::object()
      .set("name", node.name)
      .set("operator", node.op)
      .set("type", node.type)
      .set("debug_handle", node.debug_handle)
      .set("source", node.source.line)
      .set("module", node.source.module)
      .set("body", node.body)
      .set("delegate", delegated ? Json(static_cast<uint64_t>(node.delegate)) : Json())
      .set("reason", node.reason)
      .set("free", node.is_free)
      .set("inputs", Json::array_of(node.inputs));
}

Json delegate_json(const partitioner::DelegateReport& delegate) {
  return Json::object()
      .set("backend", delegate.backend)
      .set("id", delegate.id)
      .set("body", delegate.body)
      .set("nodes", static_cast<uint64_t>(delegate.node_count))
      .set("blob_bytes", delegate.blob_bytes)
      .set("data_bytes", delegate.data_bytes)
      .set("inputs", texts_json(delegate.inputs))
      .set("outputs", texts_json(delegate.outputs))
      .set("notes", texts_json(delegate.notes));
}

}  // namespace

std::string compile_report(const std::string& path, const compiler::CompileResult& result) {
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".html") == 0) {
    return html_report(result);
  }
  Json json = Json::object();
  Json methods = Json::array();
  for (size_t m = 0; m < result.methods.size(); ++m) {
    const ir::Schedule& method = result.methods[m];
    Json nodes = Json::array();
    for (const partitioner::NodeReport& node : result.delegation[m].nodes) {
      nodes.push(node_json(node));
    }
    Json delegates = Json::array();
    for (const partitioner::DelegateReport& delegate : result.delegation[m].delegates) {
      delegates.push(delegate_json(delegate));
    }
    Json steps = Json::array();
    for (const ir::Step& step : method.steps) {
      steps.push(step_json(method, step));
    }
    methods.push(Json::object()
                     .set("name", method.name)
                     .set("arena_bytes", Json::array_of(method.arena_bytes))
                     .set("lower_bound_bytes", method.lower_bound_bytes)
                     .set("scratch_bytes", method.scratch_bytes)
                     .set("nodes", std::move(nodes))
                     .set("delegates", std::move(delegates))
                     .set("steps", std::move(steps)));
  }
  json.set("methods", std::move(methods));
  json.set("quantization", quantization_json(result.quantization));
  json.set("constant_bytes", result.constant_bytes);
  Json stages = Json::object();
  for (const compiler::StageTime& stage : result.stages) {
    stages.set(stage.stage, stage.seconds);
  }
  json.set("stage_seconds", std::move(stages));
  return json.text() + "\n";
}

std::string selected_ops(const compiler::CompileResult& result, ops::KernelTables kernels) {
  std::map<std::string, std::pair<const ops::OpInfo*, std::set<std::string>>> rows;
  for (const ir::Schedule& method : result.methods) {
    for (const ir::Step& step : method.steps) {
      if (step.kind != ir::Step::Kind::kKernel || step.info->op == ops::Op::kCount) {
        continue;  // the application's own operators are its own to link
      }
      auto& [op, dtypes] = rows[std::string(step.info->id)];
      op = step.info;
      for_each_output(step, [&, &types = dtypes](uint32_t index) {
        const ir::Register& reg = method.registers[index];
        if (reg.kind == ir::Register::Kind::kTensor) {
          types.insert(dtype_text(reg.type.dtype));
        }
      });
    }
  }
  std::string text;
  for (const auto& [id, row] : rows) {
    const auto& [op, dtypes] = row;
    const ops::Kernel* const kernel =
        ops::find_kernel(kernels, std::string(op->name).c_str(), std::string(op->out).c_str());
    const bool scratch = kernel != nullptr && kernel->scratch != nullptr;
    text += fmt::format("{}({})  // {}\n", scratch ? "KERNEL_SCRATCH" : "KERNEL", id,
                        fmt::join(dtypes, ", "));
  }
  return text;
}

}  // namespace cresset::cli
