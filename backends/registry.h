// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "runtime/backend.h"

// The runtime halves that this build has. A backend's runtime/ defines
// `Backend& cresset::backends::<name>::runtime()`.
namespace cresset::backends {

// All enabled backends, for ModuleOptions and MethodOptions. Static storage.
Backends enabled();

}  // namespace cresset::backends
