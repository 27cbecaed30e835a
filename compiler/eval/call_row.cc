// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/eval/call_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "compiler/ir/infer.h"
#include "core/message.h"
#include "ops/check_args.h"
#include "ops/promotion.h"

namespace cresset::eval {

namespace {

using ir::Argument;
using ops::SchemaArg;
using ops::TypeTag;

constexpr uint8_t kPoison = 0xa5;
constexpr size_t kAlignment = 16;
// Room for outputs whose size nobody knows, in elements: where to begin and where to give up.
constexpr int64_t kFirstGuess = 1 << 12;
constexpr int64_t kLastGuess = 1 << 28;

ir::Error invalid(std::string text) { return ir::error(Status::kInvalidArgument, std::move(text)); }

struct Output {
  ir::TensorType type;  // sizes in which the output starts, all known
  Bytes bytes;
  LocalTensor* tensor = nullptr;
};

// The call's values and everything that they point to.
class Call {
 public:
  Call(const ops::Kernel& kernel, const ops::OpInfo& info) : kernel_(kernel), info_(info) {}

  ir::Error bind_args(const std::vector<Argument>& args);
  ir::Error bind_outputs(std::vector<Output> outputs);
  ir::Error run(ParallelFor* parallel);
  RowResults results() const;

 private:
  ir::Error bind(size_t i, const Argument& argument);
  ir::Error bind_list(size_t i, const ir::ArgumentList& list);
  Tensor* add_tensor(const ir::ConstantPtr& constant, bool writes, size_t arg);
  Tensor* number_tensor(Scalar number);
  void add(Value value) { values_.push_back(&room_.emplace_back(value)); }

  struct Written {
    size_t arg;
    ir::TensorType type;
    Bytes bytes;
  };

  const ops::Kernel& kernel_;
  const ops::OpInfo& info_;
  std::vector<Value*> values_;
  std::vector<Output> outputs_;
  std::vector<Written> written_;
  std::vector<const Value*> numbers_;  // kOutValue, in order
  DType number_dtype_ = DType::kFloat32;

  std::deque<Value> room_;
  std::deque<LocalTensor> tensors_;
  std::deque<ir::ConstantPtr> kept_;
  std::deque<IntList> int_lists_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<uint8_t>> bools_;
  std::deque<std::vector<Tensor*>> tensor_lists_;
  std::deque<std::string> strings_;
};

std::vector<int32_t> sizes_of(const ir::TensorType& type) {
  std::vector<int32_t> sizes;
  for (const ir::Dim& size : type.sizes) {
    sizes.push_back(static_cast<int32_t>(size.known().value_or(0)));
  }
  return sizes;
}

Tensor* Call::add_tensor(const ir::ConstantPtr& constant, bool writes, size_t arg) {
  const std::vector<int32_t> sizes = sizes_of(constant->type);
  const std::vector<uint8_t> order = constant->type.order();
  const void* data = constant->bytes;
  if (writes || reinterpret_cast<uintptr_t>(data) % kAlignment != 0) {
    auto copy = std::make_shared<std::vector<uint8_t>>(constant->bytes,
                                                       constant->bytes + constant->size_bytes);
    data = copy->data();
    if (writes) {
      written_.push_back({arg, constant->type, copy});
    }
    kept_.push_back(tensor_from(constant->type, std::move(copy)));
  } else {
    kept_.push_back(constant);
  }
  // Kernels see inputs as const; the cast only satisfies Tensor, which serves outputs as well.
  return &*tensors_.emplace_back(constant->type.dtype, sizes, const_cast<void*>(data),
                                 constant->size_bytes, order);
}

// A number in a tensor's place takes part as a 0-d tensor that does not raise the result's dtype.
Tensor* Call::number_tensor(Scalar number) {
  return add_tensor(ir::make_scalar_constant("", number_dtype_, number), false, 0);
}

ir::Error Call::bind_args(const std::vector<Argument>& args) {
  ops::ResultType common;
  for (const Argument& argument : args) {
    ir::for_each_value_in(argument, [&](const ir::Value* v) { common.add(v->dtype(), v->rank()); });
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (info_.schema.args[i].type == TypeTag::kTensor && args[i].is_number()) {
      common.add(args[i].scalar());
    }
  }
  number_dtype_ = common.get();
  if (is_floating(number_dtype_) && dtype_bytes(number_dtype_) == 2) {
    number_dtype_ = DType::kFloat32;
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (info_.schema.is_tensor_option(i) || info_.schema.args[i].type == TypeTag::kGenerator) {
      continue;
    }
    if (ir::Error e = bind(i, args[i])) {
      e.text = fmt::format("argument '{}' {}", info_.schema.args[i].name, e.text);
      return e;
    }
  }
  return {};
}

ir::Error Call::bind(size_t i, const Argument& argument) {
  const SchemaArg& arg = info_.schema.args[i];
  if (argument.is_none()) {
    add(Value());
  } else if (argument.is_list()) {
    return bind_list(i, argument.list());
  } else if (arg.list) {
    return bind_list(i, ir::ArgumentList(std::max<size_t>(arg.list_length, 1), argument));
  } else if (argument.is_value()) {
    const ir::ConstantPtr& constant = argument.value()->constant();
    if (arg.type == TypeTag::kTensor) {
      add(Value::of_tensor(add_tensor(constant, arg.writes, i)));
      return {};
    }
    ir::Expected<Scalar> number = number_of(constant);
    if (!number.ok()) {
      return invalid("is " + describe(constant) + ", not a number");
    }
    add(Value::of_scalar(*number));
  } else if (argument.is_number()) {
    add(arg.type == TypeTag::kTensor ? Value::of_tensor(number_tensor(argument.scalar()))
                                     : Value::of_scalar(argument.scalar()));
  } else if (argument.is_dtype()) {
    add(Value::of_int(static_cast<int64_t>(argument.dtype())));
  } else if (argument.is_string()) {
    add(Value::of_string(strings_.emplace_back(argument.string()).c_str()));
  } else {
    return invalid("is a graph, which no kernel takes");
  }
  return {};
}

ir::Error Call::bind_list(size_t i, const ir::ArgumentList& list) {
  const SchemaArg& arg = info_.schema.args[i];
  if (arg.type == TypeTag::kTensor) {
    std::vector<Tensor*>& items = tensor_lists_.emplace_back();
    for (const Argument& item : list) {
      if (!item.is_value() && !item.is_none()) {
        return invalid("has an item that is no tensor");
      }
      items.push_back(item.is_none() ? nullptr
                                     : add_tensor(item.value()->constant(), arg.writes, i));
    }
    add(Value::of_tensor_list(Span<Tensor* const>(items.data(), items.size())));
    return {};
  }
  std::vector<Scalar> numbers;
  for (const Argument& item : list) {
    ir::Expected<Scalar> number = item.is_value()    ? number_of(item.value()->constant())
                                  : item.is_number() ? ir::Expected<Scalar>(item.scalar())
                                                     : ir::Expected<Scalar>(invalid(""));
    if (!number.ok()) {
      return invalid("has an item that is no number");
    }
    numbers.push_back(*number);
  }
  if (arg.type == TypeTag::kFloat || arg.type == TypeTag::kScalar) {
    std::vector<double>& doubles = doubles_.emplace_back();
    for (const Scalar& number : numbers) {
      doubles.push_back(number.to_double());
    }
    add(Value::of_double_list(doubles));
  } else if (arg.type == TypeTag::kBool) {
    static_assert(sizeof(bool) == 1);
    std::vector<uint8_t>& bools = bools_.emplace_back();
    for (const Scalar& number : numbers) {
      bools.push_back(number.to_bool());
    }
    add(Value::of_bool_list({reinterpret_cast<const bool*>(bools.data()), bools.size()}));
  } else {
    std::vector<int64_t>& ints = ints_.emplace_back();
    for (const Scalar& number : numbers) {
      ints.push_back(number.to_int());
    }
    add(Value::of_int_list(&int_lists_.emplace_back(
        IntList{ints.data(), nullptr, static_cast<uint32_t>(ints.size())})));
  }
  return {};
}

ir::Error Call::bind_outputs(std::vector<Output> outputs) {
  outputs_ = std::move(outputs);
  size_t next = 0;
  const auto make = [&]() -> Tensor* {
    Output& output = outputs_[next++];
    output.tensor =
        &tensors_.emplace_back(output.type.dtype, sizes_of(output.type), output.bytes->data(),
                               output.bytes->size(), output.type.order());
    return &**output.tensor;
  };
  size_t single = 0;
  for (size_t r = 0; r < info_.schema.return_count; ++r) {
    const SchemaArg& result = info_.schema.returns[r];
    single += !result.writes && result.type == TypeTag::kTensor && !result.list;
  }
  for (size_t r = 0; r < info_.schema.return_count; ++r) {
    const SchemaArg& result = info_.schema.returns[r];
    if (result.writes) {
      continue;
    }
    if (result.type != TypeTag::kTensor) {
      add(Value());
      numbers_.push_back(values_.back());
    } else if (!result.list) {
      if (next == outputs_.size()) {
        return ir::error(Status::kInternal, "the node has fewer results than its operator");
      }
      add(Value::of_tensor(make()));
    } else {
      std::vector<Tensor*>& items = tensor_lists_.emplace_back();
      for (size_t k = single; k < outputs_.size(); ++k) {
        items.push_back(make());
      }
      add(Value::of_tensor_list(Span<Tensor* const>(items.data(), items.size())));
    }
  }
  return {};
}

ir::Error Call::run(ParallelFor* parallel) {
  MessageBuffer<512> message;
  Status status = ops::check_args(kernel_, values_.data(), values_.size(), &message);
  if (ok(status) && kernel_.infer != nullptr) {
    ops::RuntimeInfer infer(values_.data(), values_.size(), kernel_.out_count, &message);
    status = kernel_.infer(infer);
  }
  if (!ok(status)) {
    return ir::error(status, message.text());
  }
  std::vector<std::max_align_t> scratch;
  if (kernel_.scratch != nullptr) {
    scratch.resize(kernel_.scratch(values_.data()) / sizeof(std::max_align_t) + 1);
  }
  KernelContext context(&message,
                        Span<uint8_t>(reinterpret_cast<uint8_t*>(scratch.data()),
                                      scratch.size() * sizeof(std::max_align_t)),
                        parallel);
  status = kernel_.call(context, values_.data());
  if (!ok(status)) {
    return ir::error(status, message.length() == 0 ? status_text(status) : message.text());
  }
  return {};
}

RowResults Call::results() const {
  RowResults out;
  for (const Written& w : written_) {
    out.written.emplace_back(w.arg, tensor_from(w.type, w.bytes));
  }
  size_t number = 0, output = 0, write = 0;
  const auto take = [&] {
    const Output& o = outputs_[output++];
    ir::TensorType type = o.type;
    const Tensor& tensor = **o.tensor;
    type.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    o.bytes->resize(tensor.nbytes());
    out.results.emplace_back(tensor_from(std::move(type), o.bytes));
  };
  for (size_t r = 0; r < info_.schema.return_count; ++r) {
    const SchemaArg& result = info_.schema.returns[r];
    if (result.writes) {
      out.results.emplace_back(write < out.written.size() ? Datum(out.written[write].second)
                                                          : Datum());
      ++write;
    } else if (result.type != TypeTag::kTensor) {
      const Value& value = *numbers_[number++];
      out.results.push_back(value.is_number() ? Datum(value.as_scalar()) : Datum());
    } else if (!result.list) {
      take();
    } else {
      while (output < outputs_.size()) {
        take();
      }
    }
  }
  return out;
}

// Poisoned memory for an output. One whose size is not known starts empty, with room for what its
// bounds allow, but not for more than `room` elements: *grows says that it could need more.
ir::Expected<Output> make_output(const ir::TensorType& type, const ir::Ranges& ranges, int64_t room,
                                 bool* grows) {
  Output output{type, nullptr, nullptr};
  int64_t elements = 1;
  for (ir::Dim& size : output.type.sizes) {
    const int64_t most = std::clamp<int64_t>(size.bounds(ranges).max, 0, kLastGuess);
    elements = std::min(kLastGuess, elements * most);
    size = size.is_known() ? size : ir::Dim(0);
  }
  ir::Expected<size_t> size_bytes = tensor_size_bytes(output.type);
  if (!size_bytes.ok()) {
    return size_bytes.error();
  }
  size_t capacity_bytes = *size_bytes;
  if (!type.is_static()) {
    *grows = *grows || elements > room;
    capacity_bytes = static_cast<size_t>(std::min(elements, room)) * dtype_bytes(type.dtype);
  }
  output.bytes = std::make_shared<std::vector<uint8_t>>(capacity_bytes, kPoison);
  return output;
}

// The result types of a node that get an output tensor, in order.
std::vector<ir::TensorType> output_types(const ops::OpInfo& info,
                                         const std::vector<ir::Type>& declared) {
  std::vector<ir::TensorType> types;
  for (size_t k = 0; k < declared.size(); ++k) {
    const SchemaArg& result =
        info.schema.returns[std::min<size_t>(k, info.schema.return_count - 1u)];
    if (!result.writes && result.type == TypeTag::kTensor) {
      types.push_back(declared[k].tensor);
    }
  }
  return types;
}

}  // namespace

ir::Expected<RowResults> call_row(ops::KernelTables tables, const ops::OpInfo& info,
                                  const std::vector<Argument>& args,
                                  const std::vector<ir::Type>& declared, const ir::Ranges& ranges,
                                  ParallelFor* parallel) {
  const std::string name(info.name), out(info.out);
  const ops::Kernel* kernel =
      info.composite ? nullptr : ops::find_kernel(tables, name.c_str(), out.c_str());
  if (kernel == nullptr) {
    return ir::error(Status::kOperatorMissing,
                     info.composite ? "a composite has no kernel: decompose it first"
                                    : fmt::format("no kernel for {}.{} is linked", name, out));
  }
  std::vector<ir::TensorType> types = output_types(info, declared);
  ir::Expected<std::vector<ir::Type>> inferred = ir::infer(info, args, types.size());
  if (!inferred.ok() && inferred.error().status != Status::kInternal) {
    return inferred.error();
  }
  for (size_t k = 0; k < types.size(); ++k) {
    if (inferred.ok() && k < inferred->size()) {
      const ir::TensorType& rule = (*inferred)[k].tensor;
      if (rule.sizes.size() != types[k].sizes.size()) {
        types[k].dim_order.clear();
      }
      types[k] = {rule.dtype, rule.sizes, types[k].dim_order};
    }
  }
  for (int64_t room = kFirstGuess;; room *= 16) {
    bool grows = false;
    std::vector<Output> outputs;
    for (const ir::TensorType& type : types) {
      ir::Expected<Output> output = make_output(type, ranges, room, &grows);
      if (!output.ok()) {
        return output.error();
      }
      outputs.push_back(*std::move(output));
    }
    Call call(*kernel, info);
    if (ir::Error e = call.bind_args(args)) {
      return e;
    }
    if (ir::Error e = call.bind_outputs(std::move(outputs))) {
      return e;
    }
    if (ir::Error e = call.run(parallel)) {
      if (grows && e.status == Status::kInvalidArgument && room < kLastGuess) {
        continue;
      }
      return e;
    }
    return call.results();
  }
}

}  // namespace cresset::eval
