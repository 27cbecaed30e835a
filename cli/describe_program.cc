// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cli/describe.h"
#include "cli/text.h"
#include "extensions/data/host_tensor.h"
#include "extensions/data/safetensors.h"
#include "extensions/module/module.h"
#include "runtime/input_ranges.h"
#include "schema/bundled_program_generated.h"
#include "schema/program_generated.h"

namespace cresset::cli {
namespace {

namespace pb = schema::program;

std::string describe_value(Value::Kind kind, const TensorInfo* info) {
  if (info == nullptr) {
    return kind_text(kind);
  }
  return data::describe(info->dtype, info->sizes, info->dim_order) +
         (info->dynamism == Dynamism::kStatic ? "" : " at most");
}

std::string operator_text(const pb::ExecutionPlan& plan, int32_t index) {
  const pb::Operator& op = *plan.operators()->Get(static_cast<uint32_t>(index));
  const std::string overload = op.overload() == nullptr ? "" : op.overload()->str();
  return op.name()->str() + (overload.empty() ? "" : "." + overload);
}

template <class F>
void for_each_instruction(const pb::ExecutionPlan& plan, F&& f) {
  for (uint32_t c = 0; plan.chains() != nullptr && c < plan.chains()->size(); ++c) {
    const auto* const instructions = plan.chains()->Get(c)->instructions();
    for (uint32_t i = 0; instructions != nullptr && i < instructions->size(); ++i) {
      f(c, i, *instructions->Get(i));
    }
  }
}

std::string list_text(const flatbuffers::Vector<int32_t>* items) {
  std::string text;
  for (uint32_t i = 0; items != nullptr && i < items->size(); ++i) {
    text += (i == 0 ? "%" : ", %") + std::to_string(items->Get(i));
  }
  return text;
}

std::string instruction_text(const pb::ExecutionPlan& plan, const pb::Instruction& instruction) {
  switch (instruction.instr_args_type()) {
    case pb::InstructionArguments::KernelCall: {
      const auto& call = *instruction.instr_args_as_KernelCall();
      return operator_text(plan, call.op_index()) + "(" + list_text(call.args()) + ")";
    }
    case pb::InstructionArguments::DelegateCall: {
      const auto& call = *instruction.instr_args_as_DelegateCall();
      return fmt::format("delegate {}({})", call.delegate_index(), list_text(call.args()));
    }
    case pb::InstructionArguments::MoveCall: {
      const auto& call = *instruction.instr_args_as_MoveCall();
      return fmt::format("%{} = %{}", call.move_to(), call.move_from());
    }
    case pb::InstructionArguments::JumpFalseCall: {
      const auto& call = *instruction.instr_args_as_JumpFalseCall();
      return fmt::format("if not %{} goto {}", call.cond_value_index(),
                         call.destination_instruction());
    }
    case pb::InstructionArguments::FreeCall:
      return fmt::format("free %{}", instruction.instr_args_as_FreeCall()->value_index());
    default:
      return "nothing";
  }
}

uint64_t delegate_bytes(const pb::Program& program, const pb::BackendDelegate& delegate) {
  const auto& processed = *delegate.processed();
  return processed.location() == pb::DataLocation::INLINE
             ? program.backend_delegate_data()->Get(processed.index())->data()->size()
             : program.segments()->Get(processed.index())->size();
}

void add_method(const Program& program, const MethodMeta& meta, Description* out) {
  const pb::ExecutionPlan& plan = *program.plan(meta.name());
  const std::string name = meta.name();
  Description::Section io{"inputs and outputs of " + name, "<<<", {{"value", "type", "memory"}}};
  const auto row = [&](const char* what, size_t i, Value::Kind kind, const TensorInfo* info) {
    io.rows.push_back({fmt::format("{} {}", what, i), describe_value(kind, info),
                       info == nullptr  ? ""
                       : info->constant ? "constant"
                       : info->planned  ? "planned"
                                        : "the caller's"});
  };
  for (size_t i = 0; i < meta.input_count(); ++i) {
    const bool tensor = meta.input_kind(i) == Value::Kind::kTensor;
    const TensorInfo info = tensor ? meta.input(i) : TensorInfo();
    row("input", i, meta.input_kind(i), tensor ? &info : nullptr);
  }
  for (size_t i = 0; i < meta.output_count(); ++i) {
    const bool tensor = meta.output_kind(i) == Value::Kind::kTensor;
    const TensorInfo info = tensor ? meta.output(i) : TensorInfo();
    row("output", i, meta.output_kind(i), tensor ? &info : nullptr);
  }
  out->sections.push_back(std::move(io));

  // Sizes of dynamic dimensions are min, min + step, ... max.
  Description::Section ranges{
      "dynamic dimensions of " + name, "<>>>>", {{"input", "dimension", "min", "max", "step"}}};
  if (const auto records = program.find(("cresset.input_ranges." + name).c_str()); records.ok()) {
    for (size_t i = 0; i < InputRange::count(records->data); ++i) {
      const InputRange range = InputRange::read(records->data, i);
      const bool number = range.dim == UINT32_MAX;
      ranges.rows.push_back({fmt::format("input {}", range.input),
                             number ? "" : std::to_string(range.dim), std::to_string(range.min),
                             std::to_string(range.max), std::to_string(range.step)});
    }
  }
  out->sections.push_back(std::move(ranges));

  std::map<std::string, size_t> calls;
  std::map<int32_t, size_t> delegate_calls;
  for_each_instruction(plan, [&](uint32_t, uint32_t, const pb::Instruction& instruction) {
    if (const auto* call = instruction.instr_args_as_KernelCall()) {
      ++calls[operator_text(plan, call->op_index())];
    } else if (const auto* delegate = instruction.instr_args_as_DelegateCall()) {
      ++delegate_calls[delegate->delegate_index()];
    }
  });
  Description::Section operators{"operators of " + name, "<>", {{"operator", "calls"}}};
  for (const auto& [op, count] : calls) {
    operators.rows.push_back({op, std::to_string(count)});
  }
  out->sections.push_back(std::move(operators));
  Description::Section delegates{
      "delegates of " + name, "<<>><", {{"index", "backend", "calls", "bytes", "options"}}};
  for (size_t i = 0; i < meta.delegate_count(); ++i) {
    const auto& delegate = *plan.delegates()->Get(static_cast<uint32_t>(i));
    std::vector<std::string> options;
    for (uint32_t k = 0;
         delegate.compile_specs() != nullptr && k < delegate.compile_specs()->size(); ++k) {
      options.push_back(delegate.compile_specs()->Get(k)->key()->str());
    }
    delegates.rows.push_back({std::to_string(i), meta.delegate_id(i),
                              std::to_string(delegate_calls[static_cast<int32_t>(i)]),
                              std::to_string(delegate_bytes(program.flat(), delegate)),
                              fmt::format("{}", fmt::join(options, ", "))});
  }
  out->sections.push_back(std::move(delegates));

  Description::Section memory{"memory of " + name, "<>", {{"pool", "bytes"}}};
  const auto arena = method_arena_bytes(program, meta.name());
  if (arena.ok()) {
    memory.rows.push_back({"method arena", std::to_string(*arena)});
  }
  for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
    memory.rows.push_back(
        {fmt::format("planned buffer {}", i), std::to_string(meta.planned_buffer_bytes(i))});
  }
  out->sections.push_back(std::move(memory));
}

// Constants by dtype, each counted once however many methods use it.
Description::Section constants_of(const Program& program) {
  struct Total {
    size_t count = 0;
    uint64_t bytes = 0;
  };
  std::map<std::string, Total> totals;
  std::map<uint32_t, bool> seen;
  for (size_t m = 0; m < program.method_count(); ++m) {
    const auto* const values = program.plan(program.method_name(m))->values();
    const MethodMeta meta = program.method_meta(m);
    for (uint32_t v = 0; values != nullptr && v < values->size(); ++v) {
      const auto* const tensor = values->Get(v)->val_as_Tensor();
      if (tensor == nullptr || tensor->data_buffer_idx() == 0 ||
          tensor->allocation_info() != nullptr || seen[tensor->data_buffer_idx()]) {
        continue;
      }
      seen[tensor->data_buffer_idx()] = true;
      const TensorInfo info = meta.value_tensor(v);
      Total& total = totals[dtype_text(info.dtype)];
      ++total.count;
      total.bytes += info.nbytes;
    }
  }
  Description::Section section{"constants", "<>>", {{"dtype", "count", "bytes"}}};
  for (const auto& [dtype, total] : totals) {
    section.rows.push_back({dtype, std::to_string(total.count), std::to_string(total.bytes)});
  }
  return section;
}

}  // namespace

Expected<Description> describe_program(const std::string& path, bool bundled) {
  const auto module = Module::load(path, {});
  const auto file = data::FileBytes::open(path);
  if (!module.ok() || !file.ok()) {
    return module.ok() ? file.error() : module.error();
  }
  const Program& program = (*module)->program();
  Description out;
  out.kind = bundled ? "bundled program" : "program";
  out.facts.emplace_back("file", bytes_text(file->size()));
  out.facts.emplace_back("methods", fmt::format("{}", fmt::join((*module)->method_names(), ", ")));
  if (program.count() > 0) {
    out.facts.emplace_back("named data", std::to_string(program.count()));
  }
  if (bundled) {
    // Verified by Module::load().
    const auto* const bundle =
        flatbuffers::GetRoot<schema::bundled_program::BundledProgram>(file->bytes().data());
    Description::Section suites{"test cases", "<>", {{"method", "cases"}}};
    const auto* const list = bundle->method_test_suites();
    for (uint32_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto* const suite = list->Get(i);
      const auto* const cases = suite->test_cases();
      suites.rows.push_back({suite->method_name() == nullptr ? "" : suite->method_name()->str(),
                             std::to_string(cases == nullptr ? 0 : cases->size())});
    }
    out.sections.push_back(std::move(suites));
  }
  for (size_t i = 0; i < program.method_count(); ++i) {
    add_method(program, program.method_meta(i), &out);
  }
  out.sections.push_back(constants_of(program));
  return out;
}

Expected<std::string> program_listing(const std::string& path) {
  const auto module = Module::load(path, {});
  if (!module.ok()) {
    return module.error();
  }
  const Program& program = (*module)->program();
  std::string text;
  for (size_t m = 0; m < program.method_count(); ++m) {
    const MethodMeta meta = program.method_meta(m);
    const pb::ExecutionPlan& plan = *program.plan(meta.name());
    text += fmt::format("method {}\n", meta.name());
    Table values("<<");
    for (size_t v = 0; v < meta.value_count(); ++v) {
      const bool tensor = meta.value_kind(v) == Value::Kind::kTensor;
      const TensorInfo info = tensor ? meta.value_tensor(v) : TensorInfo();
      values.add(
          {fmt::format("%{}", v), describe_value(meta.value_kind(v), tensor ? &info : nullptr) +
                                      (tensor && info.constant ? " constant" : "")});
    }
    text += values.text("  ");
    text += fmt::format("  inputs {}\n  outputs {}\n", list_text(plan.inputs()),
                        list_text(plan.outputs()));
    for_each_instruction(plan, [&](uint32_t c, uint32_t i, const pb::Instruction& instruction) {
      text += fmt::format("  {}:{} {}\n", c, i, instruction_text(plan, instruction));
    });
  }
  return text;
}

}  // namespace cresset::cli
