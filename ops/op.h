// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/op_info.h"

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

}  // namespace cresset::ops
