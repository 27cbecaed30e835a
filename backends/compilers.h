// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/partitioner/backend_compiler.h"

// The compiler halves that this build has. A backend's aot/ defines
// `const partitioner::BackendCompiler& cresset::backends::<name>::compiler()`.
namespace cresset::backends {

// All enabled backends, in the order of backends.def. Static storage.
const partitioner::BackendCompilers& compilers();

// Those of a list of names in order of priority, "a,b"; none for "none". The error lists the names
// that there are.
ir::Expected<partitioner::BackendCompilers> find_compilers(const std::string& names);

}  // namespace cresset::backends
