// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace cresset::ir {

using cresset::Error;
using cresset::Expected;

// Errors as the compiler makes them.
inline Error error(Status status, std::string text) { return {status, std::move(text)}; }
inline Error bad_model(std::string text) { return {Status::kInvalidProgram, std::move(text)}; }
inline Error not_supported(std::string text) { return {Status::kNotSupported, std::move(text)}; }

}  // namespace cresset::ir
