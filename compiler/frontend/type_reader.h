// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/frontend/json.h"
#include "compiler/ir/graph.h"

namespace cresset::frontend {

// The order of dimensions in memory (outermost first) of a dense tensor; empty where it is
// row-major and where the tensor is not dense or its order cannot be told from symbols.
std::vector<uint8_t> dim_order_of(const std::vector<ir::Dim>& sizes,
                                  const std::vector<ir::Dim>& strides);

// Reads types of values. Errors are recorded in the document.
class TypeReader {
 public:
  // An integer or an expression.
  ir::Dim read_dim(const Json& sym_int);
  std::vector<ir::Dim> read_dims(const Json& sym_ints);
  // A TensorMeta; the dim order is that of the recorded strides. `row_major` (may be null) says
  // whether the tensor is dense and row-major.
  ir::TensorType read_tensor_type(const Json& meta, bool* row_major = nullptr);

 private:
  // The same few expressions occur thousands of times. Keys live in the document.
  std::unordered_map<std::string_view, ir::Dim> expressions_;
};

}  // namespace cresset::frontend
