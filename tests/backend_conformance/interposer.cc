// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/backend_conformance/interposer.h"

namespace cresset::tests {

Status Interposer::init(const DelegateInit& init, Span<const uint8_t> processed,
                        Span<const CompileSpec> specs, void** handle) {
  aligned = aligned && reinterpret_cast<uintptr_t>(processed.data()) % 16 == 0;
  init_status = inner_.init(init, change_blob ? change_blob(processed) : processed, specs, handle);
  init_text = init.message->text();
  alive += ok(init_status) ? 1 : 0;
  return init_status;
}

Status Interposer::execute(const DelegateRun& run, void* handle, Span<Value* const> args) {
  return run_instead ? run_instead(run, handle, args) : inner_.execute(run, handle, args);
}

void Interposer::destroy(void* handle) {
  --alive;
  inner_.destroy(handle);
}

}  // namespace cresset::tests
