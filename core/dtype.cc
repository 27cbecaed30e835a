// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype.h"

#include <cstring>

namespace cresset {

namespace {

struct Row {
  DType dtype;
  uint8_t bytes;
  DTypeCategory category;
  const char* text;
};

constexpr Row kRows[] = {
#define DTYPE(name, text, type, number, bytes, category) \
  {DType::name, bytes, DTypeCategory::category, text},
#include "core/dtype.def"
#undef DTYPE
};

const Row* row_of(DType dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) {
      return &row;
    }
  }
  return nullptr;
}

DType complex_of(DType real) {
  switch (real) {
    case DType::kFloat64:
      return DType::kComplex128;
    case DType::kFloat16:
      return DType::kComplex32;
    default:
      return DType::kComplex64;
  }
}

DType real_of(DType complex) {
  switch (complex) {
    case DType::kComplex128:
      return DType::kFloat64;
    case DType::kComplex32:
      return DType::kFloat16;
    default:
      return DType::kFloat32;
  }
}

}  // namespace

bool dtype_known(int number) {
  for (const Row& row : kRows) {
    if (static_cast<int>(row.dtype) == number) {
      return true;
    }
  }
  return false;
}

size_t dtype_bytes(DType dtype) {
  const Row* row = row_of(dtype);
  return row == nullptr ? 0 : row->bytes;
}

DTypeCategory dtype_category(DType dtype) {
  const Row* row = row_of(dtype);
  return row == nullptr ? DTypeCategory::kOpaque : row->category;
}

const char* dtype_text(DType dtype) {
  const Row* row = row_of(dtype);
  return row == nullptr ? "unknown" : row->text;
}

bool dtype_from_text(const char* text, size_t length, DType* dtype) {
  for (const Row& row : kRows) {
    if (std::strlen(row.text) == length && std::memcmp(row.text, text, length) == 0) {
      *dtype = row.dtype;
      return true;
    }
  }
  return false;
}

DType promote(DType a, DType b) {
  if (a == b) {
    return a;
  }
  const DTypeCategory ca = dtype_category(a);
  const DTypeCategory cb = dtype_category(b);
  if (ca == DTypeCategory::kComplex || cb == DTypeCategory::kComplex) {
    const DType ra = ca == DTypeCategory::kComplex ? real_of(a) : a;
    const DType rb = cb == DTypeCategory::kComplex ? real_of(b) : b;
    return complex_of(promote(ra, rb));
  }
  if (ca != cb && (ca == DTypeCategory::kFloating || cb == DTypeCategory::kFloating)) {
    return ca == DTypeCategory::kFloating ? a : b;
  }
  if (ca == DTypeCategory::kFloating) {
    if (dtype_bytes(a) == dtype_bytes(b)) {
      return DType::kFloat32;  // float16 with bfloat16
    }
    return dtype_bytes(a) > dtype_bytes(b) ? a : b;
  }
  if (ca == DTypeCategory::kBool) {
    return b;
  }
  if (cb == DTypeCategory::kBool) {
    return a;
  }
  if (ca == cb) {
    return dtype_bytes(a) > dtype_bytes(b) ? a : b;
  }
  // Signed with unsigned: the signed one where it is wider, else the next wider signed type.
  const DType s = ca == DTypeCategory::kSigned ? a : b;
  const DType u = ca == DTypeCategory::kSigned ? b : a;
  if (dtype_bytes(s) > dtype_bytes(u)) {
    return s;
  }
  switch (dtype_bytes(u)) {
    case 1:
      return DType::kInt16;
    case 2:
      return DType::kInt32;
    default:
      return DType::kInt64;
  }
}

}  // namespace cresset
