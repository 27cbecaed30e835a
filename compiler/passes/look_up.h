// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/passes/builder.h"
#include "compiler/passes/passes.h"

namespace cresset::passes {

// What a quantize per tensor makes of one 8-bit tensor by functions of single elements, as a table
// that the target's own kernels compute. New nodes go in front of `quantize`. Null where the value
// depends on anything else, or where the functions cannot be computed here.
ir::Expected<Value*> look_up(ir::Graph& graph, const PassContext& context, Node* quantize);

}  // namespace cresset::passes
