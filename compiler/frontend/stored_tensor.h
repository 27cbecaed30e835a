// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/frontend/bytes.h"
#include "core/dtype.h"

namespace cresset::frontend {

// Tensors that share memory in the model have equal `storage` pointers.
using Storage = std::shared_ptr<const SharedBytes>;

// A tensor as an archive holds it: a strided view of a whole storage, little-endian. Offset and
// strides are in elements and not negative. Checked: the view lies inside the storage.
struct StoredTensor {
  DType dtype = DType::kUInt8;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset_elems = 0;
  Storage storage;
};

// The tensors inside a pickled tensor subclass, by attribute name.
struct StoredSubclass {
  std::string class_name;
  std::map<std::string, StoredTensor, std::less<>> tensors;
};

// Errors: kInvalidExternalData unless every element of `tensor`, called `name`, lies in its
// storage.
Error check_view(const StoredTensor& tensor, const std::string& name);

// `bytes` with the bytes of each element (each component, where complex) reversed.
SharedBytes swap_elements(const SharedBytes& bytes, DType dtype);
// `bytes` with the sign of each component, or (`imaginary_only`) of each imaginary part, flipped.
SharedBytes flip_signs(const SharedBytes& bytes, DType dtype, bool imaginary_only);

}  // namespace cresset::frontend
