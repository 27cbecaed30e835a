// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "core/error.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/host_tensor.h"
#include "extensions/data/safetensors.h"

namespace cresset::data {

// NumPy's array files, versions 1 to 3 of the format: little-endian numbers, bools and complex
// numbers. A Fortran-ordered array keeps its layout as a dim order. Refused with the reason: other
// element types (objects, strings, big-endian), and sizes that do not fit the file.
Expected<HostTensor> parse_npy(Span<const uint8_t> bytes);
Expected<HostTensor> read_npy(const std::string& path);
// Row-major. Refused: dtypes that NumPy lacks (bfloat16).
Expected<std::string> to_npy(const HostTensor& tensor);

// NumPy's archives, stored or deflated. `arrays` are all of them, in the order of the archive;
// their keys lack the ".npy".
Expected<std::vector<NamedTensor>> read_npz(const std::string& path);
// The bytes of a stored (not compressed) archive, the same for the same tensors.
Expected<std::string> to_npz(Span<const NamedTensor> tensors);

}  // namespace cresset::data
