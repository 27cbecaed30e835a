// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "backends/registry.h"

namespace cresset::backends {

#define BACKEND(name) \
  namespace name {    \
  Backend& runtime(); \
  }  // NOLINT
#include "backends/enabled.def"
#undef BACKEND

Backends enabled() {
  static Backend* const kBackends[] = {
#define BACKEND(name) &name::runtime(),
#include "backends/enabled.def"
#undef BACKEND
      nullptr};
  return {kBackends, sizeof(kBackends) / sizeof(kBackends[0]) - 1};
}

}  // namespace cresset::backends
