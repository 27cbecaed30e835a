// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/kit.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "compiler/ir/text.h"
#include "compiler/partitioner/partition.h"
#include "tests/backend_conformance/lifecycle.h"
#include "tests/conformance/run_case.h"
#include "tests/forked/forked.h"
#include "tests/integer/random_cases.h"

namespace cresset::tests {

namespace {

namespace fs = std::filesystem;
using data::HostTensor;
using partitioner::SupportedRow;
using partitioner::SupportTable;

constexpr size_t kVariedCases = 4;   // that get variations
constexpr size_t kFittedCases = 12;  // that are enough
constexpr size_t kIntegerCases = 40;

// What a check found: nothing where it passed, or does not apply.
struct Finding {
  bool applies = true;
  std::string why;
};

struct Check {
  std::string label;
  std::function<Finding()> run;
};

// The corpus: files of operator cases by operator.
std::map<ops::Op, std::vector<std::string>> files_by_op(const std::string& folder) {
  std::map<ops::Op, std::vector<std::string>> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".safetensors") {
      const CaseSubject subject = subject_of_file(entry.path().string());
      if (subject.op != nullptr && !subject.in_place) {
        files[subject.op->op].push_back(entry.path().string());
      }
    }
  }
  for (auto& [op, list] : files) {
    std::sort(list.begin(), list.end());
  }
  return files;
}

std::vector<Call> calls_of(ops::Op op, const std::vector<std::string>& files) {
  const ops::OpInfo& info = ops::op_info(op);
  std::vector<Call> calls;
  const auto take = [&](const std::vector<data::OperatorCase>& cases) {
    for (size_t i = 0; i < cases.size(); ++i) {
      const data::Expectation& expect = cases[i].expect;
      auto call = call_of(info, cases[i], fmt::format("{}#{}", std::string(info.id), calls.size()));
      if (call.ok() && !expect.error && !expect.random && expect.impossible.empty()) {
        calls.push_back(*call);
      }
    }
  };
  for (const std::string& file : files) {
    if (const auto cases = data::read_operator_cases(file); cases.ok()) {
      take(*cases);
    }
  }
  const std::vector<std::string>& integer = integer_rows();
  if (std::find(integer.begin(), integer.end(), info.id) != integer.end()) {
    take(random_integer_cases(std::string(info.id), 1, kIntegerCases));
  }
  return calls;
}

int64_t elements(const Call& call) {
  int64_t count = 0;
  for (const auto& arg : call.args) {
    if (arg) {
      data::HostValue value = *arg;
      for_each_tensor(value, [&](const HostTensor& tensor) { count += tensor.numel(); });
    }
  }
  return count;
}

// All checks of one row.
class RowChecks {
 public:
  RowChecks(const Subject& subject, const SupportTable& table, const SupportedRow& row,
            const std::map<ops::Op, std::vector<std::string>>& files)
      : subject_(subject), table_(table), row_(row), info_(ops::op_info(row.op)) {
    for (const SupportedRow& other : table.rows()) {
      const auto found = files.find(other.op);
      std::vector<Call>& calls = bases_[other.op];
      const std::vector<Call> all =
          calls_of(other.op, found == files.end() ? std::vector<std::string>() : found->second);
      std::copy_if(all.begin(), all.end(), std::back_inserter(calls),
                   [this](const Call& call) { return claimed(call); });
      for (size_t i = 0; i < all.size() && calls.size() < kFittedCases; ++i) {
        if (!claimed(all[i])) {
          Call call = fitted(other, all[i]);
          const auto outs =
              claimed(call) ? evaluate(call) : Expected<Values>(ir::not_supported(""));
          if (outs.ok()) {
            call.outs = *outs;
            calls.push_back(std::move(call));
          }
        }
      }
      std::stable_sort(calls.begin(), calls.end(),
                       [](const Call& a, const Call& b) { return elements(a) > elements(b); });
    }
  }

  std::vector<Check> checks() {
    const std::vector<Call>& bases = bases_[row_.op];
    add(std::string(info_.id) + ": a case", [&] {
      return Finding{true, bases.empty() ? "no case of the corpus is within the claims" : ""};
    });
    const partitioner::Claim* first = first_tensor();
    for (const DType dtype : first == nullptr ? std::vector<DType>() : first->dtypes) {
      add(fmt::format("{}: {}", std::string(info_.id), ir::short_name(dtype)),
          [this, dtype, &bases] { return takes_dtype(bases, dtype); });
    }
    for (size_t i = 0; i < bases.size(); ++i) {
      add_base(bases[i], i);
    }
    add_chains(bases);
    add_lifecycle(bases);
    return std::move(checks_);
  }

 private:
  void add(const std::string& label, std::function<Finding()> run) {
    checks_.push_back({label, std::move(run)});
  }

  const partitioner::Claim* first_tensor() const {
    for (const partitioner::Claim& claim : row_.claims) {
      if (info_.schema.args[claim.arg].type == ops::TypeTag::kTensor) {
        return &claim;
      }
    }
    return nullptr;
  }

  // Arguments that the call's row wants to be known when the model is compiled.
  std::set<size_t> constants(const Call& call) const {
    std::set<size_t> args;
    for (const partitioner::Claim& claim : table_.find(call.op->op)->claims) {
      if (claim.constant) {
        args.insert(claim.arg);
      }
    }
    return args;
  }

  // Whether the framework finds the call within the claims.
  bool claimed(const Call& call) const {
    auto model = model_of(call);
    if (!model.ok() || model->graph->inputs.empty()) {
      return false;
    }
    make_constant(*model, constants(call));
    return table_.refusal(*model->graph->nodes().back(), subject_.compiler->name()).empty();
  }

  bool backend_refuses(const Model& model) const {
    for (const auto& node : model.graph->nodes()) {
      if (!subject_.compiler->refusal(*node).empty()) {
        return true;
      }
    }
    return false;
  }

  // Compiles, demands a delegate, runs. A backend may leave what it claims only by refusal() or
  // kNotSupported.
  Finding judge(Model model) const {
    for (size_t i = 0; i < model.runs.size(); ++i) {
      if (std::any_of(model.runs[i].begin(), model.runs[i].end(),
                      [](const data::HostValue& value) { return !value.is<HostTensor>(); })) {
        return {false, ""};
      }
    }
    const bool refused = backend_refuses(model);
    auto trial = compiled(subject_, std::move(model));
    if (!trial.ok()) {
      const bool ours = trial.error().status == Status::kInternal;
      return {ours, ours ? trial.error().text : ""};
    }
    if (!references(*trial).ok()) {
      trial->model.runs.resize(1);
      if (!references(*trial).ok()) {
        return {false, ""};
      }
    }
    if (trial->delegates == 0 && !refused &&
        trial->left.rfind(subject_.compiler->name() + ": ", 0) != 0 &&
        trial->left.find("only moves data") == std::string::npos && !trial->left.empty()) {
      return {true, "claimed, but left: " + trial->left};
    }
    return {trial->delegates != 0, trial->delegates == 0 ? "" : run(subject_, *trial)};
  }

  Finding judge_call(const Call& given) const {
    Call call = given;
    Expected<Values> outs = evaluate(call);
    if (!outs.ok()) {
      return {false, ""};
    }
    call.outs = *outs;
    auto model = model_of(call);
    if (!model.ok() || !claimed(call)) {
      return {false, ""};
    }
    make_constant(*model, constants(call));
    return judge(std::move(*model));
  }

  Finding takes_dtype(const std::vector<Call>& bases, DType dtype) const {
    for (const Call& base : bases) {
      std::vector<Call> calls = inside(row_, base, 1);
      calls.insert(calls.begin(), base);
      for (const Call& call : calls) {
        const auto& tensor = call.args[first_tensor()->arg];
        const auto* given = tensor ? tensor->get<HostTensor>() : nullptr;
        if (given != nullptr && given->dtype() == dtype) {
          if (const Finding finding = judge_call(call); finding.applies) {
            return {true, ""};
          }
        }
      }
    }
    return {true, "claimed, but no call of the corpus is delegated"};
  }

  void add_base(const Call& base, size_t number) {
    add(base.label, [this, base] { return judge_call(base); });
    add(base.label + ", constants", [this, base] {
      auto model = model_of(base);
      std::set<size_t> args(model->input_args.begin() + 1, model->input_args.end());
      make_constant(*model, args);
      return args.empty() ? Finding{false, ""} : judge(std::move(*model));
    });
    add(base.label + ", other memory order", [this, base] { return judge_call(reordered(base)); });
    add(base.label + ", state", [this, base] {
      auto model = model_of(base);
      make_constant(*model, constants(base));
      return make_state(*model) ? judge(std::move(*model)) : Finding{false, ""};
    });
    if (number >= kVariedCases) {
      return;
    }
    for (const Call& call : inside(row_, base, static_cast<uint32_t>(number))) {
      add(call.label, [this, call] { return judge_call(call); });
    }
    for (const Call& call : outside(row_, base)) {
      add(call.label + " (outside)", [this, call] { return must_stay(call); });
    }
    for (size_t dim = 0; dim < 4; ++dim) {
      add(fmt::format("{}, size {} varies", base.label, dim),
          [this, base, dim] { return dynamic(base, dim); });
    }
  }

  // Tensors in other orders: channels-last, or the last two dimensions swapped.
  static Call reordered(const Call& base) {
    Call call = base;
    call.label += ", other memory order";
    for (auto& arg : call.args) {
      if (arg) {
        for_each_tensor(*arg, [](HostTensor& tensor) {
          const size_t rank = tensor.rank();
          std::vector<uint8_t> order = tensor.dim_order();
          if (rank >= 3) {
            std::rotate(order.begin() + 1, order.begin() + 2, order.end());
          } else if (rank == 2) {
            std::swap(order[0], order[1]);
          }
          tensor = tensor.reordered(order);
        });
      }
    }
    return call;
  }

  Finding must_stay(const Call& call) const {
    auto model = model_of(call);
    if (!model.ok()) {
      return {false, ""};
    }
    if (!constants(call).empty() && call.label.find("computed") == std::string::npos) {
      make_constant(*model, constants(call));
    }
    const auto report = partitioner::partition(*model->graph, {subject_.compiler});
    if (!report.ok()) {
      return {true, report.error().text};
    }
    return {true, report->delegates.empty() ? "" : "not claimed, but handed to the backend"};
  }

  Finding dynamic(const Call& base, size_t dim) const {
    auto model = varying(base, dim);
    if (!model.ok()) {
      return {false, ""};
    }
    make_constant(*model, constants(base));
    if (subject_.compiler->takes_dynamic_sizes()) {
      return judge(std::move(*model));
    }
    const auto report = partitioner::partition(*model->graph, {subject_.compiler});
    return {true,
            report.ok() && report->delegates.empty() ? "" : "takes no dynamic sizes, but got some"};
  }

  void add_chains(const std::vector<Call>& bases) {
    for (size_t i = 0; i < std::min<size_t>(bases.size(), 2); ++i) {
      for (const auto& [op, others] : bases_) {
        for (size_t k = 0; k < std::min<size_t>(others.size(), 6); ++k) {
          const Call first = bases[i], second = others[k];
          add(first.label + " then " + second.label, [this, first, second] {
            auto model = chain_of(first, second);
            if (!model.ok() || !constants(first).empty() || !constants(second).empty()) {
              return Finding{false, ""};
            }
            return judge(std::move(*model));
          });
        }
      }
    }
  }

  // The largest programs of the row that are delegated.
  std::optional<Trial> delegated(const std::vector<Call>& bases, size_t skip) const {
    for (const Call& base : bases) {
      auto model = model_of(base);
      make_constant(*model, constants(base));
      auto trial = compiled(subject_, std::move(*model));
      if (trial.ok() && trial->delegates == 1 && trial->ours.methods[0].steps.size() == 1 &&
          references(*trial).ok() && skip-- == 0) {
        return std::move(*trial);
      }
    }
    return std::nullopt;
  }

  void add_lifecycle(const std::vector<Call>& bases) {
    for (const auto& [name, check] : lifecycle_checks()) {
      add(fmt::format("{}: {}", std::string(info_.id), name), [this, check = check, &bases] {
        const auto trial = delegated(bases, 0);
        return trial ? Finding{true, check(subject_, *trial)} : Finding{false, ""};
      });
    }
    add(fmt::format("{}: beside another program", std::string(info_.id)), [this, &bases] {
      const auto one = delegated(bases, 0), other = delegated(bases, 1);
      return one && other ? Finding{true, run_beside(subject_, *one, *other)} : Finding{false, ""};
    });
  }

  const Subject& subject_;
  const SupportTable& table_;
  const SupportedRow& row_;
  const ops::OpInfo& info_;
  std::map<ops::Op, std::vector<Call>> bases_;  // claimed cases of each row, the largest first
  std::vector<Check> checks_;
};

// One case of each operator that the table does not have, which must stay.
std::vector<Check> checks_outside(const Subject& subject, const SupportTable& table,
                                  const std::map<ops::Op, std::vector<std::string>>& files) {
  std::vector<Check> checks;
  for (const auto& [op, list] : files) {
    if (table.find(op) != nullptr) {
      continue;
    }
    const std::string file = list.front();
    checks.push_back(
        {std::string(ops::op_info(op).id), [&subject, file, op = op] {
           const std::vector<Call> calls = calls_of(op, {file});
           auto model = calls.empty() ? Expected<Model>(ir::not_supported("")) : model_of(calls[0]);
           if (!model.ok()) {
             return Finding{false, ""};
           }
           const auto report = partitioner::partition(*model->graph, {subject.compiler});
           return Finding{true, !report.ok() ? report.error().text
                                : report->delegates.empty()
                                    ? ""
                                    : "not in the table, but handed to the backend"};
         }});
  }
  return checks;
}

}  // namespace

KitResult run_kit(const Subject& subject, const KitOptions& options,
                  const std::function<void(const std::string&)>& line) {
  KitResult result;
  const auto table = SupportTable::read(subject.compiler->supported());
  if (!table.ok()) {
    line(table.error().text);
    return {0, 1};
  }
  const auto files = files_by_op(options.ops);
  if (files.empty()) {
    line(fmt::format("no operator cases in '{}'", options.ops));
    return {0, 1};
  }
  std::vector<const SupportedRow*> rows;
  for (const SupportedRow& row : table->rows()) {
    if (ops::op_info(row.op).id.find(options.pattern) != std::string_view::npos) {
      rows.push_back(&row);
    }
  }
  if (options.pattern.empty()) {
    rows.push_back(nullptr);  // what the table does not have
  }
  run_forked(
      rows.size(), {options.jobs, 60, true},
      [&](size_t item, size_t first, Reporter& reporter) {
        std::optional<RowChecks> row;
        if (rows[item] != nullptr) {
          row.emplace(subject, *table, *rows[item], files);
        }
        const std::vector<Check> checks =
            row ? row->checks() : checks_outside(subject, *table, files);
        for (size_t i = first; i < checks.size(); ++i) {
          reporter.begin(checks[i].label);
          const Finding finding = checks[i].run();
          if (!finding.why.empty()) {
            reporter.fail(checks[i].label + ": " + finding.why);
          } else if (finding.applies) {
            reporter.pass();
          } else {
            reporter.skip(checks[i].label);
          }
        }
      },
      [&](size_t, const Outcome& outcome) {
        for (const std::string& failure : outcome.failures) {
          line(failure);
        }
        result.passed += outcome.passed;
        result.failed += outcome.failed;
      });
  return result;
}

}  // namespace cresset::tests
