// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace cresset::ops {

// Every operator of ops/op_table.def.
enum class OpId : uint16_t {
#define OP(id, name, overload, out, schema, traits, inference, doc) id,
#include "ops/op_table.def"
#undef OP
  kCount
};

}  // namespace cresset::ops
