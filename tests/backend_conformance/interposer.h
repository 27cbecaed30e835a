// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "runtime/backend.h"

namespace cresset::tests {

// Stands between a program and a backend: sees what passes, and may change it.
class Interposer final : public Backend {
 public:
  explicit Interposer(Backend& inner) : inner_(inner) {}

  // What init gets in the place of the blob.
  std::function<Span<const uint8_t>(Span<const uint8_t>)> change_blob;
  // Called in the place of the backend's execute.
  std::function<Status(const DelegateRun&, void*, Span<Value* const>)> run_instead;

  Status init_status = Status::kOk;  // of the last init, with its message
  std::string init_text;
  bool aligned = true;  // every blob began at a multiple of 16
  int64_t alive = 0;    // successful inits, less destroys

  const char* id() const override { return inner_.id(); }
  Status init(const DelegateInit& init, Span<const uint8_t> processed,
              Span<const CompileSpec> specs, void** handle) override;
  Status execute(const DelegateRun& run, void* handle, Span<Value* const> args) override;
  void destroy(void* handle) override;

 private:
  Backend& inner_;
};

}  // namespace cresset::tests
