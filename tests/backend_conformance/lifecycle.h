// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/backend_conformance/trial.h"

namespace cresset::tests {

// What a backend owes its programs besides right numbers, tried on one of them. Each function
// returns what is wrong, empty where nothing is.
using LifecycleCheck = std::string (*)(const Subject& subject, const Trial& trial);
const std::vector<std::pair<const char*, LifecycleCheck>>& lifecycle_checks();

// Two programs of the backend loaded at once, used by turns.
std::string run_beside(const Subject& subject, const Trial& one, const Trial& other);

}  // namespace cresset::tests
