// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/supported.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "compiler/ir/print.h"
#include "compiler/ir/text.h"

namespace cresset::partitioner {

namespace {

using ir::Argument;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(at + 1);
  }
}

bool read_number(std::string_view text, double* number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return code == std::errc() && end == text.data() + text.size();
}

// "4", "1..4", "2..".
std::optional<Interval> read_interval(std::string_view text) {
  const size_t dots = text.find("..");
  Interval interval{0, std::numeric_limits<double>::infinity()};
  if (!read_number(trimmed(text.substr(0, dots)), &interval.min)) {
    return std::nullopt;
  }
  if (dots == std::string_view::npos) {
    interval.max = interval.min;
  } else if (const std::string_view end = trimmed(text.substr(dots + 2)); !end.empty()) {
    if (!read_number(end, &interval.max) || interval.max < interval.min) {
      return std::nullopt;
    }
  }
  return interval;
}

bool read_dtypes(const std::vector<std::string_view>& words, std::vector<DType>* dtypes) {
  for (const std::string_view word : words) {
    DType dtype;
    if (!ir::dtype_of_short_name(word, &dtype)) {
      return false;
    }
    dtypes->push_back(dtype);
  }
  return true;
}

// One condition of a claim; false where it is none.
bool read_condition(std::string_view text, Claim* claim) {
  if (text == "constant") {
    claim->constant = true;
    return true;
  }
  if (text == "any order") {
    claim->any_order = true;
    return true;
  }
  claim->text += (claim->text.empty() ? "" : ", ") + std::string(text);
  if (text.starts_with("rank ")) {
    const std::optional<Interval> rank = read_interval(trimmed(text.substr(5)));
    if (rank && rank->min >= 0) {
      claim->min_rank = static_cast<size_t>(rank->min);
      claim->max_rank =
          rank->max > static_cast<double>(UINT32_MAX) ? SIZE_MAX : static_cast<size_t>(rank->max);
    }
    return rank && rank->min >= 0;
  }
  const std::vector<std::string_view> words = split(text, '|');
  if (read_dtypes(words, &claim->dtypes)) {
    return true;
  }
  claim->dtypes.clear();
  for (const std::string_view word : words) {
    if (word.size() >= 2 && word.front() == '\'' && word.back() == '\'') {
      claim->strings.emplace_back(word.substr(1, word.size() - 2));
    } else if (const std::optional<Interval> interval = read_interval(word)) {
      claim->numbers.push_back(*interval);
    } else {
      return false;
    }
  }
  return true;
}

// A claim with its conditions; the fault, or "".
std::string read_claim(std::string_view text, SupportedRow* row) {
  const ops::OpInfo& info = ops::op_info(row->op);
  const size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  std::vector<std::string_view> conditions;
  if (colon != std::string_view::npos) {
    conditions = split(text.substr(colon + 1), ',');
  }
  if (name == "all" && info.schema.find("all") < 0) {
    for (const std::string_view condition : conditions) {
      row->same_dtype = row->same_dtype || condition == "same dtype";
      row->same_sizes = row->same_sizes || condition == "same sizes";
      if (condition != "same dtype" && condition != "same sizes") {
        return fmt::format("'{}' is no condition on all arguments", condition);
      }
    }
    return "";
  }
  if (name == "result" && info.schema.find("result") < 0) {
    return conditions.size() == 1 && read_dtypes(split(conditions[0], '|'), &row->results)
               ? ""
               : "a result has dtypes only";
  }
  const int arg = info.schema.find(name);
  if (arg < 0) {
    return fmt::format("{} has no argument '{}'", info.name, name);
  }
  Claim claim;
  claim.arg = static_cast<size_t>(arg);
  if (row->find(claim.arg) != nullptr) {
    return fmt::format("argument '{}' is named twice", name);
  }
  for (const std::string_view condition : conditions) {
    if (!read_condition(condition, &claim)) {
      return fmt::format("'{}' is no condition", condition);
    }
  }
  if (info.schema.args[arg].type == ops::TypeTag::kTensor && claim.dtypes.empty()) {
    return fmt::format("tensor '{}' needs dtypes", name);
  }
  row->claims.push_back(std::move(claim));
  return "";
}

// An argument as messages write it.
std::string text_of(const Argument& argument) {
  if (argument.is_list()) {
    std::vector<std::string> items;
    for (const Argument& item : argument.list()) {
      items.push_back(text_of(item));
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  return argument.is_none()     ? "None"
         : argument.is_value()  ? argument.value()->name
         : argument.is_bool()   ? (argument.boolean() ? "true" : "false")
         : argument.is_int()    ? std::to_string(argument.integer())
         : argument.is_double() ? fmt::format("{}", argument.number())
         : argument.is_string() ? "'" + argument.string() + "'"
         : argument.is_dtype()  ? std::string(ir::short_name(argument.dtype()))
                                : "a body";
}

// Whether two plain arguments mean the same: a lone number stands for a list of equal ones.
bool same_meaning(const Argument& given, const Argument& wanted) {
  if (given.is_list() && !wanted.is_list()) {
    return !wanted.is_none() &&
           std::all_of(given.list().begin(), given.list().end(),
                       [&](const Argument& item) { return same_meaning(item, wanted); });
  }
  if (given.is_list() && wanted.is_list()) {
    return std::equal(given.list().begin(), given.list().end(), wanted.list().begin(),
                      wanted.list().end(), same_meaning);
  }
  return given.is_number() && wanted.is_number() ? given.number() == wanted.number()
                                                 : given == wanted;
}

std::string list_text(const std::vector<DType>& dtypes) {
  std::vector<std::string_view> names;
  for (const DType dtype : dtypes) {
    names.push_back(ir::short_name(dtype));
  }
  return fmt::format("{}", fmt::join(names, " | "));
}

bool contains(const std::vector<DType>& dtypes, DType dtype) {
  return std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

// What of one item of an argument does not fulfil the claim; "" where all does.
std::string item_fault(const Argument& item, const Claim& claim) {
  if (item.is_none()) {
    return "";
  }
  if (item.is_value()) {
    const ir::Value& value = *item.value();
    if (!value.is_tensor()) {
      return "computed at run time";
    }
    if (!contains(claim.dtypes, value.dtype())) {
      return std::string(ir::short_name(value.dtype()));
    }
    if (value.rank() < claim.min_rank || value.rank() > claim.max_rank) {
      return fmt::format("of rank {}", value.rank());
    }
    return claim.constant && !is_constant(value) ? "computed at run time" : "";
  }
  bool fits = true;
  if (!claim.numbers.empty()) {
    fits = item.is_number() &&
           std::any_of(claim.numbers.begin(), claim.numbers.end(), [&](const Interval& interval) {
             return item.number() >= interval.min && item.number() <= interval.max;
           });
  } else if (!claim.strings.empty()) {
    fits = item.is_string() && std::find(claim.strings.begin(), claim.strings.end(),
                                         item.string()) != claim.strings.end();
  } else if (!claim.dtypes.empty()) {
    fits = item.is_dtype() && contains(claim.dtypes, item.dtype());
  }
  return fits ? "" : text_of(item);
}

}  // namespace

bool is_constant(const ir::Value& value) {
  if (value.origin() == ir::Value::Origin::kConstant) {
    return true;
  }
  if (value.origin() == ir::Value::Origin::kBuffer) {
    for (const ir::Buffer& buffer : value.graph()->buffers) {
      if (buffer.value == &value) {
        return buffer.update == nullptr && !buffer.shared && buffer.initial != nullptr;
      }
    }
  }
  return false;
}

const Claim* SupportedRow::find(size_t arg) const {
  for (const Claim& claim : claims) {
    if (claim.arg == arg) {
      return &claim;
    }
  }
  return nullptr;
}

bool SupportedRow::any_order() const {
  const ops::Schema& schema = ops::op_info(op).schema;
  return std::all_of(claims.begin(), claims.end(), [&](const Claim& claim) {
    return schema.args[claim.arg].type != ops::TypeTag::kTensor || claim.any_order;
  });
}

ir::Expected<SupportTable> SupportTable::read(Span<const SupportedOp> rows) {
  SupportTable table;
  for (const SupportedOp& written : rows) {
    const ops::OpInfo& info = ops::op_info(written.op);
    SupportedRow row;
    row.op = written.op;
    const auto fail = [&](const std::string& why) {
      return ir::error(Status::kInvalidArgument,
                       fmt::format("SUPPORTED({}): {}", std::string(info.id), why));
    };
    for (const std::string& claim : written.claims) {
      if (const std::string fault = read_claim(claim, &row); !fault.empty()) {
        return fail(fault);
      }
    }
    std::sort(row.claims.begin(), row.claims.end(),
              [](const Claim& a, const Claim& b) { return a.arg < b.arg; });
    const bool results_follow = row.results.empty();
    for (size_t i = 0; i < info.schema.arg_count; ++i) {
      const ops::SchemaArg& arg = info.schema.args[i];
      const Claim* claim = row.find(i);
      if (claim == nullptr && arg.default_text.empty() && !info.schema.is_tensor_option(i)) {
        return fail(fmt::format("argument '{}' has no default and must be named", arg.name));
      }
      if (claim != nullptr && arg.type == ops::TypeTag::kGraph) {
        return fail("a body cannot be handed over");
      }
      if (claim != nullptr && results_follow && arg.type == ops::TypeTag::kTensor) {
        row.results.insert(row.results.end(), claim->dtypes.begin(), claim->dtypes.end());
      }
    }
    table.rows_.push_back(std::move(row));
  }
  const auto before = [](const SupportedRow& a, const SupportedRow& b) { return a.op < b.op; };
  std::sort(table.rows_.begin(), table.rows_.end(), before);
  for (size_t i = 1; i < table.rows_.size(); ++i) {
    if (table.rows_[i].op == table.rows_[i - 1].op) {
      return ir::error(Status::kInvalidArgument,
                       fmt::format("SUPPORTED({}) stands twice",
                                   std::string(ops::op_info(table.rows_[i].op).id)));
    }
  }
  return table;
}

const SupportedRow* SupportTable::find(ops::Op op) const {
  const auto found =
      std::lower_bound(rows_.begin(), rows_.end(), op,
                       [](const SupportedRow& row, ops::Op wanted) { return row.op < wanted; });
  return found != rows_.end() && found->op == op ? &*found : nullptr;
}

std::string SupportTable::refusal(const ir::Node& node, const std::string& backend) const {
  const SupportedRow* row = find(node.op());
  const ops::Schema& schema = node.schema();
  if (row == nullptr) {
    return fmt::format("operator not supported by {}", backend);
  }
  if (node.in_place) {
    return fmt::format("in-place form not supported by {}", backend);
  }
  const ir::TensorType* first = nullptr;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const Argument& given = node.arg(i);
    const Claim* claim = row->find(i);
    if (claim == nullptr) {
      // Kernels do not see tensor options either: the results have them already.
      const Argument wanted = ir::default_argument(schema.args[i]);
      const bool absent = given.is_none() && !schema.args[i].optional;
      if (!schema.is_tensor_option(i) && !absent && !same_meaning(given, wanted)) {
        return fmt::format("{} {} not supported by {} (takes the default {} only)",
                           schema.args[i].name, text_of(given), backend, text_of(wanted));
      }
      continue;
    }
    for (const Argument& item : given.is_list() ? given.list() : ir::ArgumentList{given}) {
      if (const std::string fault = item_fault(item, *claim); !fault.empty()) {
        const std::string takes = claim->constant && claim->text.empty() ? "constants"
                                  : claim->constant && fault == "computed at run time"
                                      ? "constants only"
                                      : claim->text;
        return fmt::format("{} {} not supported by {}{}", schema.args[i].name,
                           given.is_list() && !item.is_value() ? text_of(given) : fault, backend,
                           takes.empty() ? "" : " (takes " + takes + ")");
      }
      if (!item.is_value() || !item.value()->is_tensor()) {
        continue;
      }
      const ir::TensorType& type = item.value()->tensor();
      first = first == nullptr ? &type : first;
      if (row->same_dtype && type.dtype != first->dtype) {
        return fmt::format("dtypes that differ not supported by {}", backend);
      }
      if (row->same_sizes && !(type.sizes == first->sizes)) {
        return fmt::format("broadcasting not supported by {}", backend);
      }
    }
  }
  for (const ir::Value* result : node.results()) {
    if (!result->is_tensor()) {
      return fmt::format("a result that is a number not supported by {}", backend);
    }
    if (!contains(row->results, result->dtype())) {
      return fmt::format("result {} not supported by {} (takes {})",
                         ir::short_name(result->dtype()), backend, list_text(row->results));
    }
  }
  return "";
}

}  // namespace cresset::partitioner
