// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>

#include "core/span.h"
#include "ops/schema.h"
#include "ops/traits.h"

namespace cresset::ops {

// Any operator that a graph can hold; its enumerators are in ops/op.h, for who names them.
enum class Op : uint16_t;

struct OpInfo {
  Op op;
  std::string_view id;        // add_tensor
  std::string_view name;      // aten::add
  std::string_view overload;  // Tensor; empty: default
  std::string_view out;       // overload of the out variant in program files; composites: empty
  uint16_t traits;
  bool composite;
  std::string_view doc;
  Schema schema;
};

const OpInfo& op_info(Op op);

// All operators, indexed by Op. Static storage, built at first use.
Span<const OpInfo> all_ops();

// The operator with that name ("aten::add") and overload ("Tensor"; empty for default), or null.
const OpInfo* find_op(std::string_view name, std::string_view overload);
// The operator with that id ("add_tensor"), or null.
const OpInfo* find_op_id(std::string_view id);
// The row with that name and out overload ("aten::add", "out"), or null.
const OpInfo* find_out_op(std::string_view name, std::string_view out);

// Whether the operator is a row of op_table.def, rather than a composite or an application's own.
bool is_row(Op op);
// Op::kCount: an operator that the application brings.
bool is_foreign(Op op);

}  // namespace cresset::ops
