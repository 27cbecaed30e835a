// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/result.h"
#include "core/span.h"

namespace cresset {

// One named datum: a tensor's contents or an opaque blob.
struct NamedDatum {
  Span<const uint8_t> data;  // at least the layout's bytes; starts at a multiple of 16
  bool has_layout = false;   // whether the three below are known
  DType dtype = DType::kFloat32;
  Span<const int32_t> sizes;
  Span<const uint8_t> dim_order;
};

// Bytes by name: the data that a program carries itself, a data file (.ptd), or several joined.
// What it returns lives as long as the map. Not thread-safe.
class NamedDataMap {
 public:
  virtual size_t count() const = 0;
  // The key of datum `index` < count().
  virtual const char* key(size_t index) const = 0;
  // kNotFound: no such key. Others as DataLoader::load.
  virtual Result<NamedDatum> find(const char* key) const = 0;

 protected:
  ~NamedDataMap() = default;
};

}  // namespace cresset
