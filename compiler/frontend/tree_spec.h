// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/bytes.h"

namespace cresset::frontend {

// A tree spec is the JSON text in which an exported program says how nested Python arguments
// flatten.

// The names of the leaves of an input spec, depth first: "x", "batch.image", "states[0]".
// `arg_names` names the positional arguments; those that it lacks are called "arg0", "arg1" ...
Expected<std::vector<std::string>> input_leaf_names(std::string_view spec,
                                                    const std::vector<std::string>& arg_names);

// The names of the leaves of an output spec: "output", or "output.logits", "output[1][0]" ...
Expected<std::vector<std::string>> output_leaf_names(std::string_view spec);

}  // namespace cresset::frontend
