// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "compiler/frontend/json.h"
#include "core/dtype.h"

namespace cresset::frontend {

// The schema of the program JSON numbers its enums in its own way, unlike c10 and ExecuTorch.

// Records an error at `json` and returns float32 where the number names no dtype that we have.
DType read_dtype(const Json& json);

// Records an error at `tensor_meta` unless its layout is strided.
void read_strided_layout(const Json& tensor_meta);

// The sizes, strides or offset of stored weights: plain integers, never symbols.
int64_t read_static_int(const Json& sym_int);
std::vector<int64_t> read_static_ints(const Json& sym_ints);

}  // namespace cresset::frontend
