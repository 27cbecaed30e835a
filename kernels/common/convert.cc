// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/convert.h"

#include <cstring>

namespace cresset::kernels {

namespace {

template <class To, class From>
void load(void* to, const uint8_t* from, ptrdiff_t stride, size_t count) {
  To* const out = static_cast<To*>(to);
  if (stride == static_cast<ptrdiff_t>(sizeof(From))) {
    const From* const in = reinterpret_cast<const From*>(from);
    for (size_t i = 0; i < count; ++i) {
      out[i] = convert<To>(in[i]);
    }
    return;
  }
  if (stride == 0) {
    const To value = convert<To>(*reinterpret_cast<const From*>(from));
    for (size_t i = 0; i < count; ++i) {
      out[i] = value;
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = convert<To>(*reinterpret_cast<const From*>(from));
    from += stride;
  }
}

template <class To>
void load_as(void* to, DType dtype, const uint8_t* from, ptrdiff_t stride, size_t count) {
  switch (dtype) {
#define LOAD(name)  \
  case DType::name: \
    return load<To, CType<DType::name>>(to, from, stride, count)
    LOAD(kUInt8);
    LOAD(kInt8);
    LOAD(kInt16);
    LOAD(kInt32);
    LOAD(kInt64);
    LOAD(kFloat16);
    LOAD(kFloat32);
    LOAD(kFloat64);
    LOAD(kBool);
    LOAD(kBFloat16);
#undef LOAD
    default:
      return;
  }
}

template <class To, class From>
void store(void* to, const void* from, size_t count) {
  To* const out = static_cast<To*>(to);
  const From* const in = static_cast<const From*>(from);
  for (size_t i = 0; i < count; ++i) {
    out[i] = convert<To>(in[i]);
  }
}

}  // namespace

DType compute_dtype(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUInt8:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
      return DType::kInt64;
    case DType::kFloat16:
    case DType::kBFloat16:
      return DType::kFloat32;
    default:
      return dtype;
  }
}

bool can_load(DType dtype) {
  const DType compute = compute_dtype(dtype);
  return compute == DType::kInt64 || compute == DType::kFloat32 || compute == DType::kFloat64;
}

void load_run(DType compute, void* to, DType dtype, const void* from, ptrdiff_t stride,
              size_t count) {
  const uint8_t* const bytes = static_cast<const uint8_t*>(from);
  switch (compute) {
    case DType::kInt64:
      return load_as<int64_t>(to, dtype, bytes, stride, count);
    case DType::kFloat32:
      return load_as<float>(to, dtype, bytes, stride, count);
    case DType::kFloat64:
      return load_as<double>(to, dtype, bytes, stride, count);
    default:
      return load_as<bool>(to, dtype, bytes, stride, count);
  }
}

void store_run(DType dtype, void* to, DType compute, const void* from, size_t count) {
  switch (dtype) {
    case DType::kUInt8:
      return store<uint8_t, int64_t>(to, from, count);
    case DType::kInt8:
      return store<int8_t, int64_t>(to, from, count);
    case DType::kInt16:
      return store<int16_t, int64_t>(to, from, count);
    case DType::kInt32:
      return store<int32_t, int64_t>(to, from, count);
    case DType::kBool:
      if (compute == DType::kInt64) {
        return store<bool, int64_t>(to, from, count);
      }
      break;
    case DType::kFloat16:
      return store<Half, float>(to, from, count);
    case DType::kBFloat16:
      return store<BFloat16, float>(to, from, count);
    case DType::kFloat32:
      if (count == 1) {  // results of reductions come one by one
        *static_cast<float*>(to) = *static_cast<const float*>(from);
        return;
      }
      break;
    default:
      break;
  }
  std::memcpy(to, from, count * dtype_bytes(dtype));
}

}  // namespace cresset::kernels
