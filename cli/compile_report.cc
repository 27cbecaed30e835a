// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/compile_report.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "cli/json.h"
#include "cli/kernel_libraries.h"
#include "cli/text.h"
#include "ops/op.h"

namespace cresset::cli {
namespace {

std::string op_text(const ops::OpInfo& op) {
  return std::string(op.name) + (op.overload.empty() ? "" : "." + std::string(op.overload));
}

std::string storage_text(const ir::Register& reg) {
  switch (reg.storage) {
    case ir::Register::Storage::kPlanned:
      return fmt::format("arena {} at {}", reg.arena, reg.offset_bytes);
    case ir::Register::Storage::kConstant:
      return "constant";
    case ir::Register::Storage::kState:
      return fmt::format("state in arena {} at {}", reg.arena, reg.offset_bytes);
  }
  return "";
}

std::string type_text(const ir::Register& reg) {
  return reg.kind == ir::Register::Kind::kTensor
             ? fmt::format("{} {}{}", dtype_text(reg.type.dtype), ir::sizes_text(reg.type.sizes),
                           reg.type.dim_order.empty()
                               ? ""
                               : fmt::format(" order [{}]", fmt::join(reg.type.dim_order, ", ")))
             : "number";
}

// Calls f(register) for each register that the operand names.
template <class F>
void for_each_register(const ir::Operand& operand, F&& f) {
  if (operand.is_register()) {
    f(operand.reg());
  } else if (operand.is_list()) {
    for (const ir::Operand& item : operand.list()) {
      for_each_register(item, f);
    }
  }
}

template <class F>
void for_each_output(const ir::Step& step, F&& f) {
  for (size_t i = step.operands.size() - step.out_count; i < step.operands.size(); ++i) {
    for_each_register(step.operands[i], f);
  }
}

// The library that computes a call of the operator.
std::string kernel_text(const ops::OpInfo& op) {
  const std::vector<std::string> libraries = kernel_libraries(op);
  return libraries.empty() ? "the application's" : libraries.front();
}

const char* kind_text(ir::Step::Kind kind) {
  return kind == ir::Step::Kind::kMove ? "move" : "jump if false";
}

Json step_json(const ir::Schedule& method, const ir::Step& step) {
  Json json = Json::object();
  if (step.kind != ir::Step::Kind::kKernel) {
    return json.set("operator", kind_text(step.kind));
  }
  json.set("operator", op_text(*step.info));
  json.set("kernel", kernel_text(*step.info));
  json.set("delegate", Json());
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

std::string escape_html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

std::string html_report(const compiler::CompileResult& result) {
  std::string html =
      "<!doctype html><meta charset=\"utf-8\"><title>cresset report</title><style>"
      "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}"
      "td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #ddd}"
      "td.n{text-align:right}</style>\n";
  for (const ir::Schedule& method : result.methods) {
    uint64_t arena = method.arena_bytes.empty() ? 0 : method.arena_bytes[0];
    html += fmt::format(
        "<h1>{}</h1><p>{}, activations {}, lower bound {}, scratch {}</p>\n<table><tr><th>#"
        "<th>operator<th>kernel<th>output<th>bytes<th>memory<th>source</tr>\n",
        escape_html(method.name), count_text(method.steps.size(), "step"), bytes_text(arena),
        bytes_text(method.lower_bound_bytes), bytes_text(method.scratch_bytes));
    for (size_t i = 0; i < method.steps.size(); ++i) {
      const ir::Step& step = method.steps[i];
      std::string types;
      std::string bytes;
      std::string memory;
      if (step.kind == ir::Step::Kind::kKernel) {
        for_each_output(step, [&](uint32_t index) {
          const ir::Register& reg = method.registers[index];
          types += escape_html(type_text(reg)) + "<br>";
          bytes += std::to_string(reg.size_bytes) + "<br>";
          memory += escape_html(storage_text(reg)) + "<br>";
        });
      }
      html += fmt::format(
          "<tr><td class=n>{}<td>{}<td>{}<td>{}<td class=n>{}<td>{}<td>{}</tr>\n", i,
          step.info == nullptr ? kind_text(step.kind) : escape_html(op_text(*step.info)),
          step.info == nullptr ? "" : kernel_text(*step.info), types, bytes, memory,
          escape_html(step.source.line));
    }
    html += "</table>\n";
  }
  return html;
}

}  // namespace

std::string compile_report(const std::string& path, const compiler::CompileResult& result) {
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".html") == 0) {
    return html_report(result);
  }
  Json json = Json::object();
  Json methods = Json::array();
  for (const ir::Schedule& method : result.methods) {
    Json steps = Json::array();
    for (const ir::Step& step : method.steps) {
      steps.push(step_json(method, step));
    }
    methods.push(Json::object()
                     .set("name", method.name)
                     .set("arena_bytes", Json::array_of(method.arena_bytes))
                     .set("lower_bound_bytes", method.lower_bound_bytes)
                     .set("scratch_bytes", method.scratch_bytes)
                     .set("steps", std::move(steps)));
  }
  json.set("methods", std::move(methods));
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
