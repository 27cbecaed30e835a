// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/passes/integer_rules.h"

// Operators that passes_integers() holds for, in front of and behind dequantize and quantize.
namespace cresset::passes {

// The operator on integers, dequantized behind it: for operands that are quantized alike. Nothing
// where they are not, or are all constant.
Values move_integers(IntegerSite& site);

// The operator's result, which a quantize wants in y's terms, where its operands are brought into
// these terms first: elements stay what they are, and quantizing keeps their order.
Value* quantize_first(IntegerSite& site, const Quantization& y);

}  // namespace cresset::passes
