// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "core/tensor.h"

namespace cresset::eval {

// A value of an evaluation: nothing, a tensor, a number or a text. Tensors are immutable and
// shared: a Datum is cheap to copy. Their bytes are dense in their own dim order.
using Datum = std::variant<ir::None, ir::ConstantPtr, Scalar, std::string>;

// The tensor, or null where the datum is something else.
inline const ir::ConstantPtr& tensor_of(const Datum& datum) {
  static const ir::ConstantPtr kNull;
  const ir::ConstantPtr* tensor = std::get_if<ir::ConstantPtr>(&datum);
  return tensor == nullptr ? kNull : *tensor;
}

// "float32[2, 3]", "7", "None": how messages show it.
std::string describe(const Datum& datum);

// The number, or what a tensor of one element holds (bool and integer tensors give bools and ints).
ir::Expected<Scalar> number_of(const Datum& datum);

// The datum as a value of that type: numbers become 0-d tensors of the type's dtype, tensors of
// one element become numbers; everything else stays as it is.
ir::Expected<Datum> fit(const Datum& datum, const ir::Type& type);

// Bytes under construction, aligned for every element type.
using Bytes = std::shared_ptr<std::vector<uint8_t>>;
// A tensor that takes over `bytes`; `type` is static.
ir::ConstantPtr tensor_from(ir::TensorType type, Bytes bytes);
// Bytes of a dense tensor; fails for types that are not static or too large for a kernel.
ir::Expected<size_t> tensor_size_bytes(const ir::TensorType& type);

// The same elements in another dim order (spelled out).
ir::ConstantPtr reordered(const ir::ConstantPtr& tensor, const std::vector<uint8_t>& order);
// tensor[index], row-major. The index lies within dimension 0.
ir::ConstantPtr item_of(const ir::ConstantPtr& tensor, int64_t index);
// Tensors of one type along a new dimension 0, row-major; at least one.
ir::Expected<ir::ConstantPtr> stack(const std::vector<ir::ConstantPtr>& tensors);

}  // namespace cresset::eval
