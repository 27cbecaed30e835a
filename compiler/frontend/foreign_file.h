// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "compiler/frontend/bytes.h"
#include "compiler/frontend/zip_archive.h"

namespace cresset::frontend {

// The three lines of Python that write the file that we read. Ends without a newline.
const char* export_snippet();

// Why a file that is no torch.export archive cannot be compiled: what it is, where that can be told
// from its content (a checkpoint, TorchScript, ONNX, TFLite, ...), and what to do instead.
// `path` is for the message.
Error foreign_file_error(const std::string& path, const SharedBytes& file);
// The same for a zip archive; `folder` is its top folder, empty or with a slash at its end.
Error foreign_archive_error(const std::string& path, const ZipArchive& archive,
                            const std::string& folder);

}  // namespace cresset::frontend
