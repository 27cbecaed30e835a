// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/frontend/bytes.h"

namespace cresset::frontend {

// Maps a whole regular file read-only; the mapping lives as long as any SharedBytes made from it.
// The file must not be shortened meanwhile. An empty file gives empty bytes.
// Errors: kAccessFailed with the path and the system's reason.
Expected<SharedBytes> map_file(const std::string& path);

}  // namespace cresset::frontend
