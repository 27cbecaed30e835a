// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "compiler/ir/dim.h"
#include "compiler/ir/error.h"

namespace cresset::frontend {

// Reads a symbolic integer as exported programs write it, in either spelling:
//   Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))
//   2*s77 + 1
// What the symbol is assumed to be is dropped; ranges are given elsewhere. Functions that a Dim
// does not know become unknown atoms, equal where their arguments are equal; so do expressions that
// would expand beyond some hundred terms. Division is taken to be exact, as exporters promise.
// Errors: kInvalidExternalData where `text` is not an expression or nests too deeply.
ir::Expected<ir::Dim> parse_expression(std::string_view text);

}  // namespace cresset::frontend
