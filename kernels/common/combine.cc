// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/combine.h"

#include <cstring>
#include <type_traits>

#include "kernels/common/dispatch.h"

namespace cresset::kernels {

namespace {

template <class T>
void replace(uint8_t* to, ptrdiff_t to_stride, const uint8_t* from, ptrdiff_t from_stride,
             int64_t count) {
  constexpr ptrdiff_t kDense = static_cast<ptrdiff_t>(sizeof(T));
  if (to_stride == kDense && from_stride == kDense) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to, from, sizeof(T));
    to += to_stride;
    from += from_stride;
  }
}

// Integers are added and multiplied as unsigned, where overflow is defined.
template <class C>
using Wrapping = std::conditional_t<std::is_integral_v<C>, uint64_t, C>;

struct Add {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (std::is_same_v<C, bool>) {
      return a || b;
    } else {
      return static_cast<C>(static_cast<Wrapping<C>>(a) + static_cast<Wrapping<C>>(b));
    }
  }
};
struct Multiply {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (std::is_same_v<C, bool>) {
      return a && b;
    } else {
      return static_cast<C>(static_cast<Wrapping<C>>(a) * static_cast<Wrapping<C>>(b));
    }
  }
};
struct Greatest {
  template <class C>
  static C apply(C a, C b) {
    return b > a || b != b ? b : a;
  }
};
struct Least {
  template <class C>
  static C apply(C a, C b) {
    return b < a || b != b ? b : a;
  }
};

template <class T, class Op>
void apply(uint8_t* to, ptrdiff_t to_stride, const uint8_t* from, ptrdiff_t from_stride,
           int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T* const target = reinterpret_cast<T*>(to);
    *target = static_cast<T>(
        Op::template apply<Accumulator<T>>(*target, *reinterpret_cast<const T*>(from)));
    to += to_stride;
    from += from_stride;
  }
}

template <class Op>
CombineFn applying(DType dtype) {
  switch (dtype) {
#define APPLY(name) \
  case DType::name: \
    return apply<CType<DType::name>, Op>
    APPLY(kUInt8);
    APPLY(kInt8);
    APPLY(kInt16);
    APPLY(kInt32);
    APPLY(kInt64);
    APPLY(kFloat16);
    APPLY(kFloat32);
    APPLY(kFloat64);
    APPLY(kBool);
    APPLY(kBFloat16);
#undef APPLY
    default:
      return nullptr;
  }
}

CombineFn replacing(size_t width) {
  switch (width) {
    case 1:
      return replace<uint8_t>;
    case 2:
      return replace<uint16_t>;
    case 4:
      return replace<uint32_t>;
    case 8:
      return replace<uint64_t>;
    default:
      return replace<Bytes16>;
  }
}

}  // namespace

CombineFn combine_fn(Combine combine, DType dtype) {
  switch (combine) {
    case Combine::kAdd:
      return applying<Add>(dtype);
    case Combine::kMultiply:
      return applying<Multiply>(dtype);
    case Combine::kGreatest:
      return applying<Greatest>(dtype);
    case Combine::kLeast:
      return applying<Least>(dtype);
    default:
      return replacing(dtype_bytes(dtype));
  }
}

}  // namespace cresset::kernels
