// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "backends/compilers.h"

#include <algorithm>

namespace cresset::backends {

#define BACKEND(name)                             \
  namespace name {                                \
  const partitioner::BackendCompiler& compiler(); \
  }  // NOLINT
#include "backends/enabled.def"
#undef BACKEND

const partitioner::BackendCompilers& compilers() {
  static const partitioner::BackendCompilers kCompilers = {
#define BACKEND(name) &name::compiler(),
#include "backends/enabled.def"
#undef BACKEND
  };
  return kCompilers;
}

ir::Expected<partitioner::BackendCompilers> find_compilers(const std::string& names) {
  partitioner::BackendCompilers found;
  if (names == "none") {
    return found;
  }
  for (size_t at = 0; at <= names.size();) {
    const size_t end = std::min(names.find(',', at), names.size());
    const std::string name = names.substr(at, end - at);
    at = end + 1;
    const auto& all = compilers();
    const auto match = std::find_if(all.begin(), all.end(),
                                    [&](const auto* compiler) { return compiler->name() == name; });
    if (match == all.end()) {
      std::string known;
      for (const auto* compiler : all) {
        known += compiler->name() + ", ";
      }
      return ir::error(Status::kNotFound, "no backend '" + name + "'; this build has " + known +
                                              "and none for no delegates");
    }
    if (std::find(found.begin(), found.end(), *match) != found.end()) {
      return ir::error(Status::kInvalidArgument, "backend '" + name + "' is named twice");
    }
    found.push_back(*match);
  }
  return found;
}

}  // namespace cresset::backends
