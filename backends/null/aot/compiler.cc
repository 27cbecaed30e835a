// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/backend_compiler.h"

namespace cresset::backends::null {

namespace {

class NullCompiler final : public partitioner::BackendCompiler {
 public:
  std::string name() const override { return "null"; }
  std::string id() const override { return "NullBackend"; }
  Span<const partitioner::SupportedOp> supported() const override { return {}; }
  ir::Expected<partitioner::CompiledDelegate> compile(const ir::Graph&) const override {
    return ir::not_supported("takes nothing");
  }
};

}  // namespace

const partitioner::BackendCompiler& compiler() {
  static const NullCompiler kCompiler;
  return kCompiler;
}

}  // namespace cresset::backends::null
