// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/half.h"

namespace cresset {

// The type of a tensor's elements (core/dtype.def).
enum class DType : int8_t {
#define DTYPE(name, text, type, number, bytes, category) name = number,
#include "core/dtype.def"
#undef DTYPE
};

enum class DTypeCategory : uint8_t { kBool, kUnsigned, kSigned, kFloating, kComplex, kOpaque };

// The C++ type of an element, and back: CType<DType::kFloat32> is float, kDTypeOf<float> its DType.
template <DType>
struct CTypeOf;
template <class T>
struct DTypeOf;
#define DTYPE(name, text, type, number, bytes, category) \
  template <>                                            \
  struct CTypeOf<DType::name> {                          \
    using Type = type;                                   \
    static_assert(sizeof(type) == (bytes), text);        \
  };
#include "core/dtype.def"
#undef DTYPE
template <DType D>
using CType = typename CTypeOf<D>::Type;

#define CRESSET_DTYPE_OF(type, name)             \
  template <>                                    \
  struct DTypeOf<type> {                         \
    static constexpr DType kValue = DType::name; \
  };
CRESSET_DTYPE_OF(uint8_t, kUInt8)
CRESSET_DTYPE_OF(int8_t, kInt8)
CRESSET_DTYPE_OF(int16_t, kInt16)
CRESSET_DTYPE_OF(int32_t, kInt32)
CRESSET_DTYPE_OF(int64_t, kInt64)
CRESSET_DTYPE_OF(Half, kFloat16)
CRESSET_DTYPE_OF(float, kFloat32)
CRESSET_DTYPE_OF(double, kFloat64)
CRESSET_DTYPE_OF(Complex<Half>, kComplex32)
CRESSET_DTYPE_OF(Complex<float>, kComplex64)
CRESSET_DTYPE_OF(Complex<double>, kComplex128)
CRESSET_DTYPE_OF(bool, kBool)
CRESSET_DTYPE_OF(BFloat16, kBFloat16)
CRESSET_DTYPE_OF(uint16_t, kUInt16)
CRESSET_DTYPE_OF(uint32_t, kUInt32)
CRESSET_DTYPE_OF(uint64_t, kUInt64)
#undef CRESSET_DTYPE_OF
template <class T>
inline constexpr DType kDTypeOf = DTypeOf<T>::kValue;

// Whether `number`, as a program file holds it, names a dtype that we know.
bool dtype_known(int number);
// Bytes of one element. The dtype must be known.
size_t dtype_bytes(DType dtype);
DTypeCategory dtype_category(DType dtype);
// PyTorch's name without "torch.", for instance "float32"; "unknown" for an unknown number.
const char* dtype_text(DType dtype);
// The dtype with that name; false where there is none.
bool dtype_from_text(const char* text, size_t length, DType* dtype);

inline bool is_floating(DType d) { return dtype_category(d) == DTypeCategory::kFloating; }
inline bool is_complex(DType d) { return dtype_category(d) == DTypeCategory::kComplex; }
// True for bool as well, as in PyTorch's is_integral(include_bool=true).
inline bool is_integral(DType d) { return dtype_category(d) <= DTypeCategory::kSigned; }

// The dtype that holds both, by PyTorch's promotion table for dimensioned tensors.
DType promote(DType a, DType b);

}  // namespace cresset
