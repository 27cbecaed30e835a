// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace cresset::frontend {

// The user's line that made a node, out of the `stack_trace` that the exporter recorded: the
// innermost frame outside PyTorch itself, as "model.py:42, in forward: y = self.fc(x)"; empty where
// there is no frame.
std::string source_line(std::string_view stack_trace);

// The path of the innermost module, out of `nn_module_stack`, for instance "layers.0.fc"; empty for
// the model itself.
std::string module_path(std::string_view nn_module_stack);

}  // namespace cresset::frontend
