// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "compiler/frontend/bytes.h"

namespace cresset::frontend {

// Maps a whole regular file read-only; the mapping lives as long as any SharedBytes made from it.
// The file must not be shortened meanwhile. An empty file gives empty bytes.
// Errors: kAccessFailed with the path and the system's reason.
Expected<SharedBytes> map_file(const std::string& path);

// `bytes` for many to share. Where they are mapped, the pages that they alone fill leave memory
// with the last of them: weights that were folded away do not count against the peak any more.
std::shared_ptr<const SharedBytes> share_bytes(SharedBytes bytes);

}  // namespace cresset::frontend
