// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/runtime_infer.h"

namespace cresset::ops {

// One function a row: infer_rows::add_tensor(...) applies the row's rule.
namespace infer_rows {
#define OP(id, name, overload, out, schema, traits, inference, doc) Status id(RuntimeInfer& c);
#include "ops/op_table.def"
#undef OP
}  // namespace infer_rows

}  // namespace cresset::ops
