// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/bytes.h"
#include "core/dtype.h"
#include "core/span.h"

namespace cresset::frontend {

// What a pickle stream may build. Names in it are never resolved to code: those that describe
// tensors are understood, other classes become inert kObject nodes, other calls are refused.
enum class PickleKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kFloat,
  kText,    // also bytes
  kTuple,   // items
  kList,    // items
  kDict,    // items: key, value, key, value ...
  kGlobal,  // text: "module.name"
  kDType,
  kStorage,  // a whole storage, the record data/<text> beside the stream: `integer` elements of
             // `dtype`
  kTensor,
  kObject,  // text: class name; items: the tuple of its arguments, then its state if it has one
};

struct PickleValue;

// A strided view of a storage; offset and strides in elements of `dtype`.
struct PickleTensor {
  const PickleValue* storage = nullptr;  // a kStorage; its dtype is uint8 where it is untyped
  DType dtype = DType::kUInt8;
  int64_t offset_elems = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  bool conjugate = false;  // the stored values are the conjugates of the tensor's
  bool negate = false;     // the stored values are the negatives of the tensor's
};

struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  bool boolean = false;
  DType dtype = DType::kUInt8;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<const PickleValue*> items;
  std::shared_ptr<const PickleTensor> tensor;  // of a kTensor

  // The value under the text key of a kDict, or null.
  const PickleValue* get(std::string_view key) const;
};

// The values of one stream. They refer to one another, possibly in cycles, and live as long as
// this.
class Pickle {
 public:
  // Time and memory are linear in the stream's size, and memory is limited.
  // Errors: kInvalidExternalData (damaged), kNotSupported (asks for something that is not data).
  static Expected<Pickle> parse(Span<const uint8_t> stream, const std::string& name);

  const PickleValue& root() const { return *root_; }

 private:
  friend class PickleMachine;
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
};

}  // namespace cresset::frontend
