// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elements.h"

namespace cresset::kernels {

int64_t Integers::In::operator[](int64_t i) const {
  switch (dtype) {
    case DType::kUInt8:
      return data[i];
    case DType::kInt8:
      return reinterpret_cast<const int8_t*>(data)[i];
    case DType::kInt16:
      return reinterpret_cast<const int16_t*>(data)[i];
    case DType::kInt32:
      return reinterpret_cast<const int32_t*>(data)[i];
    default:
      return reinterpret_cast<const int64_t*>(data)[i];
  }
}

void store(const Integers::Out& out, int64_t i, int64_t value) {
  switch (out.dtype) {
    case DType::kUInt8:
    case DType::kInt8:
      out.data[i] = static_cast<uint8_t>(value);
      return;
    case DType::kInt16:
      reinterpret_cast<uint16_t*>(out.data)[i] = static_cast<uint16_t>(value);
      return;
    case DType::kInt32:
      reinterpret_cast<uint32_t*>(out.data)[i] = static_cast<uint32_t>(value);
      return;
    default:
      reinterpret_cast<int64_t*>(out.data)[i] = value;
  }
}

}  // namespace cresset::kernels
