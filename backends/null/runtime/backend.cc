// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/backend.h"

namespace cresset::backends::null {

namespace {

class NullBackend final : public Backend {
 public:
  const char* id() const override { return "NullBackend"; }
  Status init(const DelegateInit& init, Span<const uint8_t>, Span<const CompileSpec>,
              void**) override {
    return init.message->fail(Status::kDelegateInvalidCompatibility, "there are no such blobs");
  }
  Status execute(const DelegateRun&, void*, Span<Value* const>) override {
    return Status::kDelegateInvalidHandle;
  }
};

}  // namespace

Backend& runtime() {
  static NullBackend backend;
  return backend;
}

}  // namespace cresset::backends::null
