// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor.h"

namespace cresset::kernels {

// Elements of int8 or uint8 less their zero point, one code for both: an element of uint8 with its
// highest bit flipped is the int8 that is 128 less.
struct Differences {
  const uint8_t* data;
  uint8_t flip;
  int16_t zero;

  Differences(const Tensor& tensor, int64_t zero_point)
      : data(tensor.data<uint8_t>()),
        flip(tensor.dtype() == DType::kUInt8 ? 0x80 : 0),
        zero(static_cast<int16_t>(zero_point - flip)) {}
  // In [-255, 255].
  int16_t operator[](int64_t i) const { return of(data[i]); }
  int16_t of(uint8_t element) const {
    return static_cast<int16_t>(static_cast<int8_t>(element ^ flip) - zero);
  }
  Differences operator+(int64_t n) const {
    Differences next = *this;
    next.data += n;
    return next;
  }
};

// to[i] = difference of data[i * step] for i in [0, count).
void load_differences(const Differences& data, int64_t step, int64_t count, int16_t* to);

// Stores numbers that fit int8, uint8 or int16 as elements of `bytes` bytes: the low ones.
struct IntegerOut {
  uint8_t* data;
  int64_t bytes;

  explicit IntegerOut(Tensor& tensor)
      : data(tensor.mutable_data<uint8_t>()),
        bytes(static_cast<int64_t>(dtype_bytes(tensor.dtype()))) {}
  void store(int64_t i, int32_t value) const {
    if (bytes == 1) {
      data[i] = static_cast<uint8_t>(value);
    } else {
      reinterpret_cast<int16_t*>(data)[i] = static_cast<int16_t>(value);
    }
  }
  // values[i] at i * step, for i in [0, count).
  void store_run(int64_t step, int64_t count, const int32_t* values) const;
  IntegerOut operator+(int64_t n) const {
    IntegerOut next = *this;
    next.data += n * bytes;
    return next;
  }
};

}  // namespace cresset::kernels
