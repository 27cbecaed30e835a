// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "core/span.h"
#include "ops/op_id.h"
#include "ops/schema.h"

namespace cresset::ops {

// Any operator that a graph can hold. The rows of op_table.def come first and have the numbers of
// OpId; then those of composite_table.def, which have no kernel. Host only: it carries all texts.
enum class Op : uint16_t {
#define OP(id, name, overload, out, schema, traits, inference, doc) id,
#include "ops/op_table.def"
#undef OP
#define COMPOSITE(id, name, overload, schema) id,
#include "ops/composite_table.def"
#undef COMPOSITE
  kCount
};

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

inline bool is_row(Op op) {
  return static_cast<uint16_t>(op) < static_cast<uint16_t>(OpId::kCount);
}

}  // namespace cresset::ops
