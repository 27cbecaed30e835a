// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/run_case.h"

#include <fmt/core.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "extensions/data/compare.h"
#include "ops/check_args.h"
#include "tests/conformance/call_frame.h"

namespace cresset::tests {
namespace {

using data::HostTensor;
using data::HostValue;

std::string text_of(const Message& message, Status status) {
  return message.length() > 0 ? message.text() : status_text(status);
}

// What inference says against what is wanted.
std::optional<std::string> inference_mismatch(const Inferred& inferred,
                                              const std::vector<HostValue>& wanted) {
  size_t next = 0;
  for (const std::vector<InferredTensor>& out : inferred.outs) {
    if (out.empty()) {
      return std::nullopt;  // left to the kernel
    }
    for (const InferredTensor& tensor : out) {
      const auto* want = next < wanted.size() ? wanted[next].get<HostTensor>() : nullptr;
      if (want == nullptr) {
        return fmt::format("inference gives more tensors than the {} wanted", wanted.size());
      }
      if (tensor.dtype != want->dtype() || tensor.sizes != want->sizes()) {
        return fmt::format("inference says {}, want {}",
                           data::describe(tensor.dtype, tensor.sizes, {}),
                           data::describe(want->dtype(), want->sizes(), {}));
      }
      ++next;
    }
  }
  return std::nullopt;
}

std::string judge(const CallFrame& frame, const data::OperatorCase& call) {
  if (call.expect.error) {
    return fmt::format("accepted, must be refused: {}", call.expect.why);
  }
  if (const auto name = frame.wrongly_written()) {
    return fmt::format("argument '{}' was written to", *name);
  }
  const std::vector<HostValue> results = frame.results();
  if (results.size() != call.outs.size()) {
    return fmt::format("got {} results, want {}", results.size(), call.outs.size());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const auto why = call.expect.random
                         ? data::shape_mismatch(results[i], call.outs[i])
                         : data::mismatch(results[i], call.outs[i], call.expect.tolerance);
    if (why) {
      return fmt::format("output {}: {}", i, *why);
    }
  }
  return "";
}

// With `in_place`, empty as well where no input can take the output.
std::string run_once(const ops::OpInfo& op, const ops::Kernel& kernel,
                     const data::OperatorCase& call, bool in_place, Stopwatch* watch) {
  const auto refused = [&](const std::string& stage, const std::string& why) {
    return call.expect.error ? "" : stage + ": " + why;
  };
  if (!call.expect.impossible.empty()) {
    return refused("case", call.expect.impossible);
  }
  CallFrame frame(op);
  if (const Error error = frame.bind(call); !error.ok()) {
    return refused("arguments", error.text);
  }
  MessageBuffer<512> message;
  if (const Status status = frame.infer(call.outs, call.expect.error, &message); !ok(status)) {
    return refused("inference", text_of(message, status));
  }
  if (!call.expect.error) {
    if (const auto why = inference_mismatch(frame.inferred(), call.outs)) {
      return *why;
    }
  }
  frame.make_outputs(call.outs);
  if (in_place && !frame.alias_output()) {
    return "";
  }
  const std::vector<Value*>& values = frame.values();
  if (const Status status = ops::check_args(kernel, values.data(), values.size(), &message);
      !ok(status)) {
    return refused("arguments", text_of(message, status));
  }
  if (kernel.infer != nullptr) {
    ops::RuntimeInfer context(values.data(), kernel.arg_count, kernel.out_count, &message);
    if (const Status status = kernel.infer(context); !ok(status)) {
      return refused("runtime inference", text_of(message, status));
    }
  }
  const size_t scratch_bytes = kernel.scratch == nullptr ? 0 : kernel.scratch(values.data());
  HostTensor scratch(DType::kUInt8, {static_cast<int32_t>(scratch_bytes)});
  std::memset(scratch.mutable_bytes().data(), 0xa5, scratch_bytes);
  KernelContext context(&message, scratch.mutable_bytes());
  const auto compute = [&] { return kernel.call(context, values.data()); };
  if (const Status status = watch->lap(compute); !ok(status)) {
    return refused("kernel", text_of(message, status));
  }
  const std::string why = judge(frame, call);
  for (size_t lap = 1; lap < watch->laps() && why.empty(); ++lap) {
    static_cast<void>(watch->lap(compute));
  }
  return why;
}

}  // namespace

CaseSubject subject_of_file(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const size_t first = stem.find('.');
  const size_t last = stem.rfind('.');
  if (first == std::string::npos || first == last) {
    return {};
  }
  std::string name = stem.substr(0, first) + "::" + stem.substr(first + 1, last - first - 1);
  const std::string overload = stem.substr(last + 1);
  if (const ops::OpInfo* const op = ops::find_out_op(name, overload)) {
    return {op, false};
  }
  if (const ops::OpInfo* const op = ops::find_op(name, overload)) {
    return {op, false};
  }
  if (name.back() == '_') {
    name.pop_back();
    return {ops::find_op(name, overload), true};
  }
  // The functional form of an operator of which graphs only hold the writing one.
  return {ops::find_op(name + "_", overload), false};
}

std::string run_case(const ops::OpInfo& op, const ops::Kernel& kernel,
                     const data::OperatorCase& call, Stopwatch* watch) {
  const std::string why = run_once(op, kernel, call, false, watch);
  if (!why.empty() || call.expect.error || (op.traits & ops::kInPlace) == 0) {
    return why;
  }
  Stopwatch in_place_watch(1);
  const std::string in_place = run_once(op, kernel, call, true, &in_place_watch);
  return in_place.empty() ? "" : "in place: " + in_place;
}

}  // namespace cresset::tests
