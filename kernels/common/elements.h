// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "core/kernel_context.h"
#include "core/tensor.h"

namespace cresset::kernels {

// Four ways to compute serve all real dtypes, so that a loop with many parameters is instantiated
// four times and not nine: float32 and float64 directly, 16-bit floats through float, integers
// through int64. A way E has
//   Compute       the type of sums and products
//   In, Out       act like `const T*` and `T*`: in[i] is a Compute, store(out, i, value) rounds or
//                 wraps to the element; in + n and out + n advance by n elements
//   in(), out()   make them from memory and dtype
// `multiply_add` wraps where integers overflow.

template <class T>
struct Direct {
  using Compute = T;
  using In = const T*;
  using Out = T*;
  static In in(const void* data, DType) { return static_cast<const T*>(data); }
  static Out out(void* data, DType) { return static_cast<T*>(data); }
};
using Float32 = Direct<float>;
using Float64 = Direct<double>;

struct Float16 {
  using Compute = float;
  struct In {
    const uint16_t* data;
    bool brain;
    float operator[](int64_t i) const {
      return brain ? half_bits::bfloat16_to_float(data[i]) : half_bits::half_to_float(data[i]);
    }
    In operator+(int64_t n) const { return {data + n, brain}; }
  };
  struct Out {
    uint16_t* data;
    bool brain;
    Out operator+(int64_t n) const { return {data + n, brain}; }
  };
  static In in(const void* data, DType dtype) {
    return {static_cast<const uint16_t*>(data), dtype == DType::kBFloat16};
  }
  static Out out(void* data, DType dtype) {
    return {static_cast<uint16_t*>(data), dtype == DType::kBFloat16};
  }
};

struct Integers {
  using Compute = int64_t;
  struct In {
    const uint8_t* data;
    DType dtype;
    int64_t operator[](int64_t i) const;
    In operator+(int64_t n) const {
      return {data + n * static_cast<int64_t>(dtype_bytes(dtype)), dtype};
    }
  };
  struct Out {
    uint8_t* data;
    DType dtype;
    Out operator+(int64_t n) const {
      return {data + n * static_cast<int64_t>(dtype_bytes(dtype)), dtype};
    }
  };
  static In in(const void* data, DType dtype) { return {static_cast<const uint8_t*>(data), dtype}; }
  static Out out(void* data, DType dtype) { return {static_cast<uint8_t*>(data), dtype}; }
};

inline void store(float* out, int64_t i, float value) { out[i] = value; }
inline void store(double* out, int64_t i, double value) { out[i] = value; }
inline void store(const Float16::Out& out, int64_t i, float value) {
  out.data[i] = out.brain ? half_bits::float_to_bfloat16(value) : half_bits::float_to_half(value);
}
void store(const Integers::Out& out, int64_t i, int64_t value);

inline float multiply_add(float sum, float a, float b) { return sum + a * b; }
inline double multiply_add(double sum, double a, double b) { return sum + a * b; }
inline int64_t multiply_add(int64_t sum, int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(sum) +
                              static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <class E>
typename E::In elements_of(const Tensor& tensor) {
  return E::in(tensor.raw_data(), tensor.dtype());
}
template <class E>
typename E::Out elements_of(Tensor& tensor) {
  return E::out(tensor.mutable_raw_data(), tensor.dtype());
}

// f(E()) for the way that computes `dtype`; f returns a Status.
template <class F>
Status dispatch_float_elements(KernelContext& context, DType dtype, F&& f) {
  switch (dtype) {
    case DType::kFloat32:
      return f(Float32());
    case DType::kFloat64:
      return f(Float64());
    case DType::kFloat16:
    case DType::kBFloat16:
      return f(Float16());
    default:
      return context.fail(Status::kInvalidType,
                          "{} is not supported; float32, float64, float16 "
                          "and bfloat16 are",
                          dtype);
  }
}

// As above, with integers (bool is none).
template <class F>
Status dispatch_elements(KernelContext& context, DType dtype, F&& f) {
  switch (dtype) {
    case DType::kUInt8:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
      return f(Integers());
    default:
      return dispatch_float_elements(context, dtype, f);
  }
}

}  // namespace cresset::kernels
