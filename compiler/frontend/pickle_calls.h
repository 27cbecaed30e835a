// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "compiler/frontend/pickle.h"

namespace cresset::frontend {

// What a name in a stream stands for: a dtype ("torch.float32"), a storage class
// ("torch.FloatStorage"; kStorage with integer -1), or else a kGlobal with that name.
PickleValue name_value(std::string name);

// The value of `callee(args...)`, for the few calls of which tensors are made. `args` is a kTuple.
// Errors: as Pickle::parse, without a position.
Expected<PickleValue> call_value(const PickleValue& callee, const PickleValue& args);

// The storage that the persistent id tuple ('storage', class, key, location, count) names.
Expected<PickleValue> persistent_value(const PickleValue& id);

}  // namespace cresset::frontend
