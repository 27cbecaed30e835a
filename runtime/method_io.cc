// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/copy_elements.h"
#include "runtime/flat_program.h"
#include "runtime/input_ranges.h"
#include "runtime/method.h"

// What goes into a method and comes out of it.

namespace cresset {
namespace {

// In InputRange::dim: the input is a number, not a tensor's dimension.
constexpr uint32_t kNumber = 0xffffffff;

// As ExecuTorch compares the numbers that a model was exported with.
bool same_number(const Value& got, const Value& expected) {
  const double a = got.as_scalar().to_double();
  const double b = expected.as_scalar().to_double();
  if (expected.kind() != Value::Kind::kDouble) {
    return got.kind() == expected.kind() && got.as_int() == expected.as_int();
  }
  const double difference = a > b ? a - b : b - a;
  return a == b || (a != a && b != b) || difference <= 1e-4 + 1e-5 * (b < 0 ? -b : b);
}

}  // namespace

const Value& Method::input(size_t index) const {
  CRESSET_CHECK(index < plan_->inputs()->size());
  return tables_.values[static_cast<size_t>(plan_->inputs()->Get(static_cast<uint32_t>(index)))];
}

const Value& Method::output(size_t index) const {
  CRESSET_CHECK(loaded_ && index < plan_->outputs()->size());
  return tables_.values[static_cast<size_t>(plan_->outputs()->Get(static_cast<uint32_t>(index)))];
}

Status Method::set_input(size_t index, const Value& value) {
  CRESSET_CHECK(loaded_);
  message_->clear();
  if (index >= input_count()) {
    return message_->fail(Status::kInvalidArgument, "input {}: method {} has {} inputs", index,
                          meta().name(), input_count());
  }
  const Value& own = input(index);
  if (own.is_tensor()) {
    if (!value.is_tensor()) {
      return message_->fail(Status::kInvalidArgument, "input {}: got a {}, expected a tensor",
                            index, kind_text(value.kind()));
    }
    CRESSET_TRY(set_tensor_input(index, *value.as_tensor()));
  } else {
    CRESSET_TRY(set_number_input(index, value));
  }
  tables_.input_set[index] = 1;
  return Status::kOk;
}

Status Method::set_number_input(size_t index, const Value& value) {
  const Value fixed = meta().fixed_input(index);
  if (fixed.is_none() && value.is_none()) {
    return Status::kOk;
  }
  if (!value.is_number() || !fixed.is_number()) {
    return message_->fail(Status::kInvalidArgument, "input {}: got a {}, expected a {}", index,
                          kind_text(value.kind()), kind_text(fixed.kind()));
  }
  for (size_t i = 0; i < InputRange::count(input_ranges_); ++i) {
    const InputRange range = InputRange::read(input_ranges_, i);
    if (range.input == index && range.dim == kNumber && value.kind() == fixed.kind()) {
      CRESSET_TRY(check_range(range, value.as_int()));
      tables_.values[static_cast<size_t>(plan_->inputs()->Get(static_cast<uint32_t>(index)))] =
          value;
      return Status::kOk;
    }
  }
  if (!same_number(value, fixed)) {
    message_->clear();
    message_->append("input {}: got ", index);
    append_number(value);
    message_->append(", but the model was exported with ");
    append_number(fixed);
    return Status::kInvalidArgument;
  }
  return Status::kOk;
}

void Method::append_number(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kDouble:
      return message_->append("{}", value.as_double());
    case Value::Kind::kBool:
      return message_->append("{}", value.as_bool());
    default:
      return message_->append("{}", value.as_int());
  }
}

void Method::append_place(const InputRange& range) {
  range.dim == kNumber ? message_->append("input {}", range.input)
                       : message_->append("input {}: dimension {}", range.input, range.dim);
}

Status Method::check_range(const InputRange& range, int64_t given) {
  const bool inside = given >= range.min && given <= range.max;
  if (inside && (range.step <= 1 || (given - range.min) % range.step == 0)) {
    return Status::kOk;
  }
  message_->clear();
  append_place(range);
  message_->append(" is {}, allowed ", given);
  if (!inside || range.step <= 1) {
    message_->append("[{}, {}]", range.min, range.max);
  } else if (range.min % range.step == 0) {
    message_->append("multiples of {} in [{}, {}]", range.step, range.min, range.max);
  } else {
    message_->append("{}, {}, ... up to {}", range.min, range.min + range.step, range.max);
  }
  return Status::kInvalidArgument;
}

Status Method::set_tensor_input(size_t index, const Tensor& source) {
  Tensor& own = *input(index).as_tensor();
  const TensorInfo info = meta().input(index);
  if (source.dtype() != info.dtype || source.rank() != info.sizes.size()) {
    return message_->fail(Status::kInvalidArgument, "input {}: got {} {}, expected {} {}", index,
                          source.dtype(), source.sizes(), info.dtype, info.sizes);
  }
  const bool fixed = info.dynamism == Dynamism::kStatic;
  if (fixed && !equal(source.sizes(), info.sizes)) {
    return message_->fail(Status::kInvalidArgument, "input {}: got shape {}, expected {}", index,
                          source.sizes(), info.sizes);
  }
  for (size_t i = 0; i < InputRange::count(input_ranges_); ++i) {
    const InputRange range = InputRange::read(input_ranges_, i);
    if (range.input == index && range.dim < source.rank()) {
      CRESSET_TRY(check_range(range, source.size(range.dim)));
    }
  }
  for (size_t d = 0; d < source.rank(); ++d) {
    if (source.size(d) > info.sizes[d] || source.size(d) < 0) {
      return message_->fail(Status::kInvalidArgument,
                            "input {}: dimension {} is {}, allowed [0, {}]", index, d,
                            source.size(d), info.sizes[d]);
    }
  }
  if (source.raw_data() == nullptr && source.numel() != 0) {
    return message_->fail(Status::kInvalidArgument, "input {}: its tensor has no data", index);
  }
  if (info.planned) {
    CRESSET_TRY(own.resize(source.sizes()));
    copy_elements(source, own);
    return Status::kOk;
  }
  own.set_data(own.mutable_raw_data(), info.nbytes);
  CRESSET_TRY(own.resize(source.sizes()));
  if (!own.same_layout(source)) {
    own.set_data(nullptr, info.nbytes);
    tables_.input_set[index] = 0;
    return message_->fail(
        Status::kInvalidArgument,
        "input {}: got dim order {}, expected {}; the input is not planned, so it "
        "cannot be converted",
        index, source.dim_order(), info.dim_order);
  }
  own.set_data(const_cast<void*>(source.raw_data()), source.nbytes());
  return Status::kOk;
}

Status Method::set_output_memory(size_t index, void* data, size_t bytes) {
  CRESSET_CHECK(loaded_);
  message_->clear();
  if (index >= output_count() || meta().output_kind(index) != Value::Kind::kTensor) {
    return message_->fail(Status::kInvalidArgument, "output {} is no tensor of this method", index);
  }
  const TensorInfo info = meta().output(index);
  if (info.planned || info.constant) {
    return message_->fail(Status::kInvalidState, "output {} has its memory already", index);
  }
  if (bytes < info.nbytes) {
    return message_->fail(Status::kMemoryAllocationFailed, "output {} needs {} bytes, given {}",
                          index, info.nbytes, bytes);
  }
  if (reinterpret_cast<uintptr_t>(data) % dtype_bytes(info.dtype) != 0) {
    return message_->fail(Status::kInvalidArgument, "output {}: its memory is not aligned to {}",
                          index, dtype_bytes(info.dtype));
  }
  output(index).as_tensor()->set_data(data, info.nbytes);
  return Status::kOk;
}

Status Method::check_ready() {
  for (size_t i = 0; i < tables_.input_set.size(); ++i) {
    if (tables_.input_set[i] == 0) {
      return message_->fail(Status::kInvalidState, "input {} is not set", i);
    }
  }
  return check_symbols();
}

Status Method::check_symbols() {
  for (size_t i = 0; i < InputRange::count(input_ranges_); ++i) {
    const InputRange a = InputRange::read(input_ranges_, i);
    // The first record of each symbol speaks for it.
    for (size_t k = 0; k < i; ++k) {
      const InputRange b = InputRange::read(input_ranges_, k);
      if (b.symbol != a.symbol) {
        continue;
      }
      int64_t got = 0;
      int64_t steps = 0;
      if (ranged_size(a, &got) && steps_of(b, &steps) && got != a.min + steps * a.step) {
        message_->clear();
        append_place(a);
        message_->append(" is {}, expected {}, for ", got, a.min + steps * a.step);
        append_place(b);
        message_->append(" is {}", b.min + steps * b.step);
        return Status::kInvalidArgument;
      }
      break;
    }
  }
  return check_relations();
}

Status Method::check_relations() {
  size_t at = 0;
  const auto word = [&]() -> uint32_t {
    const bool there = input_relations_.size() - at >= 4;
    at += there ? 4 : 0;
    return there ? read_le32(input_relations_.data() + at - 4) : 0;
  };
  const size_t records = InputRange::count(input_ranges_);
  while (input_relations_.size() - at >= 8) {
    const uint32_t record = word();
    uint64_t expected = 0;  // wraps; a size that fits is told all the same
    for (uint32_t terms = word(); terms > 0 && at < input_relations_.size(); --terms) {
      uint64_t term = word();
      term |= static_cast<uint64_t>(word()) << 32;
      for (uint32_t factors = word(); factors > 0 && at < input_relations_.size(); --factors) {
        const uint32_t teller = word();
        int64_t steps = 0;
        if (teller < records) {
          steps_of(InputRange::read(input_ranges_, teller), &steps);
        }
        term *= static_cast<uint64_t>(steps);
      }
      expected += term;
    }
    int64_t got = 0;
    if (record < records && ranged_size(InputRange::read(input_ranges_, record), &got) &&
        static_cast<uint64_t>(got) != expected) {
      message_->clear();
      append_place(InputRange::read(input_ranges_, record));
      message_->append(" is {}, expected {} for the sizes of the other inputs", got,
                       static_cast<int64_t>(expected));
      return Status::kInvalidArgument;
    }
  }
  return Status::kOk;
}

// How many steps the input is above the smallest that the record allows; false as ranged_size().
bool Method::steps_of(const InputRange& range, int64_t* steps) const {
  int64_t size = 0;
  if (!ranged_size(range, &size)) {
    return false;
  }
  *steps = (size - range.min) / (range.step == 0 ? 1 : range.step);
  return true;
}

// What the input has where the record speaks of it; false for a record of nothing.
bool Method::ranged_size(const InputRange& range, int64_t* size) const {
  if (range.input >= input_count()) {
    return false;
  }
  const Value& value = input(range.input);
  if (range.dim == kNumber && value.kind() == Value::Kind::kInt) {
    *size = value.as_int();
    return true;
  }
  if (!value.is_tensor() || range.dim >= value.as_tensor()->rank()) {
    return false;
  }
  *size = value.as_tensor()->size(range.dim);
  return true;
}

}  // namespace cresset
