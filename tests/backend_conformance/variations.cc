// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/variations.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "compiler/ir/graph.h"
#include "compiler/ir/text.h"

namespace cresset::tests {

namespace {

using data::HostTensor;
using data::HostValue;
using ops::SchemaArg;
using ops::TypeTag;
using partitioner::Claim;
using partitioner::SupportedRow;

bool is_number(TypeTag type) {
  return type == TypeTag::kInt || type == TypeTag::kFloat || type == TypeTag::kScalar;
}

bool takes(const Claim& claim, double number) {
  return claim.numbers.empty() ||
         std::any_of(claim.numbers.begin(), claim.numbers.end(), [&](const auto& interval) {
           return number >= interval.min && number <= interval.max;
         });
}

HostValue number_of(TypeTag type, double number) {
  if (type == TypeTag::kFloat || number != std::floor(number)) {
    return {number};
  }
  return {static_cast<int64_t>(number)};
}

// Single values, inside the claim or not.
std::vector<HostValue> single_values(const SchemaArg& arg, const Claim& claim, bool wanted) {
  std::vector<HostValue> values;
  if (is_number(arg.type)) {
    std::vector<double> numbers = {0, 1, 2, 3};
    if (arg.type != TypeTag::kInt) {
      numbers.insert(numbers.end(), {-1.5, 0.5});
    }
    for (const auto& interval : claim.numbers) {
      for (const double end : {interval.min, interval.max}) {
        if (std::abs(end) < 1e6) {
          numbers.insert(numbers.end(), {end - 1, end, end + 1});
        }
      }
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const double number : numbers) {
      if (takes(claim, number) == wanted) {
        values.push_back(number_of(arg.type, number));
      }
    }
  } else if (arg.type == TypeTag::kString) {
    for (const std::string& text : claim.strings) {
      if (wanted) {
        values.push_back({text});
      }
    }
    if (!wanted && !claim.strings.empty()) {
      values.push_back({std::string("nobody takes this")});
    }
  } else if (arg.type == TypeTag::kDType) {
    for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kInt64, DType::kInt8}) {
      const bool claimed =
          claim.dtypes.empty() ||
          std::find(claim.dtypes.begin(), claim.dtypes.end(), dtype) != claim.dtypes.end();
      if (claimed == wanted) {
        values.push_back({dtype});
      }
    }
  } else if (arg.type == TypeTag::kBool && wanted) {
    values = {{false}, {true}};
  }
  return values;
}

// What stands at the argument, as a list: the call's, or the schema's default.
HostValue::List items_at(const SchemaArg& arg, const std::optional<HostValue>& given) {
  if (given && given->is<HostValue::List>()) {
    return *given->get<HostValue::List>();
  }
  const ir::Argument otherwise = ir::default_argument(arg);
  HostValue item = given && !given->is_none() ? *given : HostValue{int64_t{0}};
  HostValue::List items;
  if ((!given || given->is_none()) && otherwise.is_list()) {
    for (const ir::Argument& each : otherwise.list()) {
      items.push_back(number_of(arg.type, each.is_number() ? each.number() : 0));
    }
  } else if ((!given || given->is_none()) && otherwise.is_number()) {
    item = number_of(arg.type, otherwise.number());
  }
  const size_t length = std::max<size_t>(arg.list_length, 1);
  return items.empty() ? HostValue::List(length, item) : items;
}

// Values for an argument that is no tensor, each all inside the claim or with one item outside.
std::vector<HostValue> values_for(const SchemaArg& arg, const Claim& claim,
                                  const std::optional<HostValue>& given, bool wanted) {
  const std::vector<HostValue> singles = single_values(arg, claim, wanted);
  if (!arg.list) {
    return singles;
  }
  std::vector<HostValue> lists;
  const HostValue::List now = items_at(arg, given);
  for (const HostValue& single : singles) {
    lists.push_back({HostValue::List(now.size(), single)});
    for (size_t i = 0; i < now.size() && now.size() > 1; ++i) {
      HostValue::List one = now;
      one[i] = single;
      lists.push_back({one});
    }
  }
  return lists;
}

Call with(const Call& base, size_t arg, std::optional<HostValue> value, const std::string& why) {
  Call call = base;
  call.args[arg] = std::move(value);
  call.label = fmt::format("{}, {} {}", base.label, base.op->schema.args[arg].name, why);
  return call;
}

std::string shown(const HostValue& value) { return data::to_text(value, 8); }

bool has(const std::vector<DType>& dtypes, DType dtype) {
  return std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

bool convertible(DType dtype) { return is_floating(dtype) || is_integral(dtype); }

bool given_tensors(const Call& call, size_t arg) {
  return call.op->schema.args[arg].type == TypeTag::kTensor && call.args[arg] &&
         !call.args[arg]->is_none();
}

// The call with the tensors of `args` in another dtype, and results that had the first one's.
Call converted(const Call& base, const std::vector<size_t>& args, DType dtype) {
  Call call = base;
  call.label = fmt::format("{}, {}", base.label, ir::short_name(dtype));
  std::optional<DType> before;
  for (const size_t arg : args) {
    for_each_tensor(*call.args[arg], [&](HostTensor& tensor) {
      before = before.value_or(tensor.dtype());
      if (convertible(tensor.dtype())) {
        tensor = tensor.converted(dtype);
      }
    });
  }
  for (HostValue& out : call.outs) {
    for_each_tensor(out, [&](HostTensor& tensor) {
      if (before && tensor.dtype() == *before && convertible(*before)) {
        tensor = tensor.converted(dtype);
      }
    });
  }
  return call;
}

// A value that is not the default of an argument that the row does not honour; nothing where there
// is none to try.
std::optional<HostValue> other_than_default(const SchemaArg& arg) {
  const ir::Argument otherwise = ir::default_argument(arg);
  const double number = otherwise.is_number() ? otherwise.number() : 0;
  HostValue single;
  switch (arg.type) {
    case TypeTag::kBool:
      single = {number == 0};
      break;
    case TypeTag::kInt:
      single = {static_cast<int64_t>(number) + 1};
      break;
    case TypeTag::kFloat:
    case TypeTag::kScalar:
      single = {number + 0.5};
      break;
    case TypeTag::kString:
      single = {std::string("nobody takes this")};
      break;
    case TypeTag::kDType:
      single = {DType::kFloat64};
      break;
    case TypeTag::kTensor:
      single = {HostTensor(DType::kFloat32, {2})};
      break;
    default:
      return std::nullopt;
  }
  if (!arg.list) {
    return single;
  }
  const size_t length = otherwise.is_list() ? otherwise.list().size() : arg.list_length;
  return HostValue{HostValue::List(std::max<size_t>(length, 1), single)};
}

// One tensor with one size less: broadcasting, where the operator does; and none of the first
// tensor's elements.
void add_sizes(const Call& base, const std::vector<size_t>& tensors, std::vector<Call>* calls) {
  for (const size_t arg : tensors) {
    const auto* tensor = base.args[arg]->get<HostTensor>();
    if (tensor == nullptr || tensor->numel() == 0) {
      continue;
    }
    const auto add = [&](const std::vector<int32_t>& sizes) {
      HostTensor made = with_sizes(*tensor, sizes);
      const std::string text = data::describe(made);
      calls->push_back(with(base, arg, HostValue{std::move(made)}, text));
    };
    for (size_t d = 0; d < tensor->rank(); ++d) {
      std::vector<int32_t> sizes = tensor->sizes();
      if (sizes[d] != 1) {
        sizes[d] = 1;
        add(sizes);
      }
      if (arg == tensors[0]) {
        sizes[d] = 0;
        add(sizes);
      }
    }
    if (tensor->rank() > 1) {
      add({tensor->sizes().begin() + 1, tensor->sizes().end()});
    }
  }
}

}  // namespace

HostTensor with_sizes(const HostTensor& tensor, const std::vector<int32_t>& sizes) {
  HostTensor made(tensor.dtype(), sizes);
  const size_t width = dtype_bytes(tensor.dtype());
  for (size_t at = 0; at < made.size_bytes(); at += width) {
    std::memcpy(made.mutable_bytes().data() + at, tensor.bytes().data() + at % tensor.size_bytes(),
                width);
  }
  return made;
}

Expected<Call> call_of(const ops::OpInfo& op, const data::OperatorCase& given,
                       const std::string& label) {
  Call call;
  call.op = &op;
  call.label = label;
  call.args.resize(op.schema.arg_count);
  call.outs = given.outs;
  if (given.args.size() > call.args.size()) {
    return invalid("too many arguments");
  }
  std::copy(given.args.begin(), given.args.end(), call.args.begin());
  for (const auto& [name, value] : given.kwargs) {
    const int at = op.schema.find(name);
    if (at < 0) {
      return invalid("no argument " + name);
    }
    call.args[static_cast<size_t>(at)] = value;
  }
  return call;
}

data::OperatorCase as_case(const Call& call) {
  data::OperatorCase made;
  made.outs = call.outs;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i]) {
      made.kwargs.emplace_back(call.op->schema.args[i].name, *call.args[i]);
    }
  }
  return made;
}

Call fitted(const SupportedRow& row, const Call& base) {
  Call call = base;
  std::vector<size_t> tensors;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const SchemaArg& arg = base.op->schema.args[i];
    const Claim* claim = row.find(i);
    if (claim == nullptr) {
      call.args[i].reset();
    } else if (given_tensors(base, i)) {
      tensors.push_back(i);
    } else if (call.args[i] && !call.args[i]->is_none() && !claim->numbers.empty()) {
      const std::vector<HostValue> values = values_for(arg, *claim, call.args[i], true);
      HostValue::List items = items_at(arg, call.args[i]);
      const bool all = std::all_of(items.begin(), items.end(), [&](const HostValue& item) {
        return item.is<int64_t>() && takes(*claim, static_cast<double>(*item.get<int64_t>()));
      });
      if (!all && !values.empty()) {
        call.args[i] = values.front();
      }
    }
  }
  if (!tensors.empty()) {
    const std::vector<DType>& dtypes = row.find(tensors[0])->dtypes;
    const auto dtype = std::find_if(dtypes.begin(), dtypes.end(), convertible);
    const auto* first = base.args[tensors[0]]->get<HostTensor>();
    if (dtype != dtypes.end() && first != nullptr && !has(dtypes, first->dtype())) {
      call = converted(call, tensors, *dtype);
    }
  }
  call.label = base.label + " fitted";
  return call;
}

std::vector<Call> inside(const SupportedRow& row, const Call& base, uint32_t seed) {
  std::vector<Call> calls;
  std::vector<std::pair<size_t, std::vector<HostValue>>> choices;
  std::vector<size_t> tensors;
  for (const Claim& claim : row.claims) {
    const SchemaArg& arg = base.op->schema.args[claim.arg];
    if (arg.optional && base.args[claim.arg] && !base.args[claim.arg]->is_none()) {
      calls.push_back(with(base, claim.arg, HostValue{}, "absent"));
    }
    if (arg.type == TypeTag::kTensor) {
      if (given_tensors(base, claim.arg)) {
        tensors.push_back(claim.arg);
      }
      continue;
    }
    std::vector<HostValue> values = values_for(arg, claim, base.args[claim.arg], true);
    for (const HostValue& value : values) {
      calls.push_back(with(base, claim.arg, value, shown(value)));
    }
    if (!values.empty()) {
      choices.emplace_back(claim.arg, std::move(values));
    }
  }
  add_sizes(base, tensors, &calls);
  if (!tensors.empty()) {
    for (const DType dtype : row.find(tensors[0])->dtypes) {
      std::vector<size_t> together;
      for (const size_t arg : tensors) {
        if (has(row.find(arg)->dtypes, dtype)) {
          together.push_back(arg);
        }
      }
      if (convertible(dtype) && (!row.same_dtype || together.size() == tensors.size())) {
        calls.push_back(converted(base, together, dtype));
      }
    }
    for (const size_t arg : tensors) {
      for (const DType dtype : row.find(arg)->dtypes) {
        if (convertible(dtype) && !row.same_dtype && tensors.size() > 1 &&
            row.find(arg)->dtypes.size() > 1) {
          calls.push_back(converted(base, {arg}, dtype));
        }
      }
    }
  }
  std::mt19937 random(seed);
  for (int i = 0; i < 12 && choices.size() > 1; ++i) {
    Call call = base;
    call.label += ",";
    for (const auto& [arg, values] : choices) {
      const size_t pick = random() % (values.size() + 1);
      if (pick < values.size()) {
        call.args[arg] = values[pick];
        call.label += fmt::format(" {} {}", base.op->schema.args[arg].name, shown(values[pick]));
      }
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Call> outside(const SupportedRow& row, const Call& base) {
  std::vector<Call> calls;
  const ops::Schema& schema = base.op->schema;
  std::vector<size_t> tensors;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    const SchemaArg& arg = schema.args[i];
    const Claim* claim = row.find(i);
    if (claim == nullptr) {
      const std::optional<HostValue> other = other_than_default(arg);
      if (other && !schema.is_tensor_option(i)) {
        calls.push_back(with(base, i, other, "not at its default"));
      }
      continue;
    }
    if (arg.type != TypeTag::kTensor) {
      for (const HostValue& value : values_for(arg, *claim, base.args[i], false)) {
        calls.push_back(with(base, i, value, shown(value)));
      }
      continue;
    }
    if (!given_tensors(base, i)) {
      continue;
    }
    tensors.push_back(i);
    for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kFloat64, DType::kInt8,
                              DType::kUInt8, DType::kInt32, DType::kInt64, DType::kBool}) {
      if (!has(claim->dtypes, dtype)) {
        Call call = converted(base, {i}, dtype);
        call.label += fmt::format(" for {}", arg.name);
        calls.push_back(std::move(call));
      }
    }
    for (const size_t rank : {claim->min_rank - 1, claim->max_rank + 1}) {
      if (rank <= kMaxRank) {  // 0 - 1 wraps
        HostValue value = *base.args[i];
        for_each_tensor(value, [&](HostTensor& tensor) {
          tensor = HostTensor(tensor.dtype(), std::vector<int32_t>(rank, 1));
        });
        calls.push_back(with(base, i, value, fmt::format("of rank {}", rank)));
      }
    }
  }
  for (size_t k = 1; k < tensors.size(); ++k) {
    if (row.same_sizes) {
      HostValue value = *base.args[tensors[k]];
      for_each_tensor(value, [&](HostTensor& tensor) {
        std::vector<int32_t> sizes = tensor.sizes();
        sizes.push_back(3);
        tensor = HostTensor(tensor.dtype(), sizes);
      });
      calls.push_back(with(base, tensors[k], value, "of other sizes"));
    }
    for (const DType dtype : row.find(tensors[k])->dtypes) {
      const auto* first = base.args[tensors[0]]->get<HostTensor>();
      if (row.same_dtype && convertible(dtype) && first != nullptr && first->dtype() != dtype) {
        calls.push_back(converted(base, {tensors[k]}, dtype));
        calls.back().label += " beside another dtype";
      }
    }
  }
  return calls;
}

}  // namespace cresset::tests
