// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/ir/dim.h"
#include "compiler/ir/error.h"
#include "compiler/ir/lexer.h"

namespace cresset::ir {

// Reads one Dim and leaves the lexer behind it.
Expected<Dim> read_dim(Lexer& lexer);
// Reads an integer with an optional sign.
Expected<int64_t> read_integer(Lexer& lexer);

}  // namespace cresset::ir
