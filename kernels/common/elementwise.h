// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/function_ref.h"
#include "core/kernel_context.h"
#include "core/scalar.h"
#include "core/tensor.h"
#include "kernels/common/convert.h"
#include "kernels/common/dispatch.h"
#include "ops/promotion.h"

// The loop of all elementwise kernels. An operator is written once, as a generic function of one
// element of each operand, and instantiated for the few types that compute (int64, float, double):
// operands of other dtypes, strides or shapes are converted piece by piece, contiguous operands of
// the computing type are used where they lie. Any dim orders, broadcasting, zero sizes; the output
// may be the memory of an operand of its dtype, shape and layout.
namespace cresset::kernels {

inline constexpr size_t kMaxOperands = 3;

// A tensor that broadcasts to the output, or a number. Refers to the tensor it was made from.
struct Operand {
  Operand(const Tensor& t) : dtype(t.dtype()), tensor(&t) {}  // NOLINT(runtime/explicit)
  Operand(Scalar s)                                           // NOLINT(runtime/explicit)
      : dtype(s.is_double() ? DType::kFloat64 : DType::kInt64), number(s) {
    if (s.is_double()) {
      bits.of_double = s.to_double();
    } else {
      bits.of_int = s.to_int();
    }
  }
  void promote(ops::ResultType* type) const {
    if (tensor != nullptr) {
      type->add(*tensor);
    } else {
      type->add(number);
    }
  }
  bool is_number() const { return tensor == nullptr || tensor->rank() == 0; }
  // The first element that the operator reads.
  const uint8_t* data() const;
  // Bytes between its elements along dimension `dim` of an output of `out_rank` dimensions.
  ptrdiff_t stride_bytes(size_t dim, size_t out_rank) const;

  DType dtype;
  const Tensor* tensor = nullptr;
  int64_t offset = 0;  // elements of the tensor before the first one that is read
  Scalar number;
  union {
    int64_t of_int;
    double of_double;
  } bits = {0};
};

// An operand, the type that it is computed in, and the dtype it is converted to before, which may
// lose bits: PyTorch's common dtype.
struct Source {
  Operand operand;
  DType compute;
  DType common;
};

// PyTorch's arithmetic takes numbers beside 16-bit floats unrounded; this is then their `common`.
inline DType unrounded(const Operand& operand, DType common) {
  return operand.is_number() && is_floating(common) ? compute_dtype(common) : common;
}

// `count` consecutive elements of each source in its computing type; the results go to `out`.
using ChunkFn = FunctionRef<void(size_t count, const void* const* in, void* out)>;

// Runs `chunk` over all elements of `out` in the order of its memory. `result` is the type that the
// function writes: out's dtype or its compute_dtype. At most kMaxOperands sources. kInvalidType
// where a dtype is not among bool, integers up to int64 (uint8 as the only unsigned one) and
// floats.
Status run_elementwise(KernelContext& context, Span<const Source> sources, DType result,
                       Tensor& out, ChunkFn chunk);

// out[i] = f(a[i]) with f : C -> R.
template <class C, class R = C, class F>
Status map(KernelContext& context, Tensor& out, DType common, const Operand& a, F f) {
  const Source sources[] = {{a, kDTypeOf<C>, common}};
  return run_elementwise(context, sources, kDTypeOf<R>, out,
                         [f](size_t count, const void* const* in, void* result) {
                           const C* const x = static_cast<const C*>(in[0]);
                           R* const r = static_cast<R*>(result);
                           for (size_t i = 0; i < count; ++i) {
                             r[i] = f(x[i]);
                           }
                         });
}

// out[i] = f(a[i], b[i]) with f : C x C -> R. `common_a` and `common_b` as in Source.
template <class C, class R = C, class F>
Status map(KernelContext& context, Tensor& out, DType common_a, const Operand& a, DType common_b,
           const Operand& b, F f) {
  const Source sources[] = {{a, kDTypeOf<C>, common_a}, {b, kDTypeOf<C>, common_b}};
  return run_elementwise(context, sources, kDTypeOf<R>, out,
                         [f](size_t count, const void* const* in, void* result) {
                           const C* const x = static_cast<const C*>(in[0]);
                           const C* const y = static_cast<const C*>(in[1]);
                           R* const r = static_cast<R*>(result);
                           for (size_t i = 0; i < count; ++i) {
                             r[i] = f(x[i], y[i]);
                           }
                         });
}

// body(Tag<C>()) with the type in which elements of `dtype` are computed.
template <class F>
Status dispatch_compute(KernelContext& context, DType dtype, F&& body) {
  const DType compute = compute_dtype(dtype);
  if (compute != DType::kInt64 && compute != DType::kFloat32 && compute != DType::kFloat64) {
    return context.fail(Status::kInvalidType, "{} is not supported", dtype);
  }
  return dispatch<int64_t, float, double>(context, compute, body);
}
template <class F>
Status dispatch_compute_floating(KernelContext& context, DType dtype, F&& body) {
  const DType compute = compute_dtype(dtype);
  if (compute != DType::kFloat32 && compute != DType::kFloat64) {
    return context.fail(Status::kInvalidType, "{} is not supported", dtype);
  }
  return dispatch<float, double>(context, compute, body);
}

// out = f(a) in the type of out's dtype; `f` is generic over int64_t, float and double.
template <class F>
Status unary(KernelContext& context, const Operand& a, Tensor& out, F f) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    return map<typename decltype(tag)::Type>(context, out, out.dtype(), a, f);
  });
}

// As unary, where out is of a floating dtype; `f` is generic over float and double.
template <class F>
Status unary_floating(KernelContext& context, const Operand& a, Tensor& out, F f) {
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map<C>(context, out, kDTypeOf<C>, a, f);
  });
}

// out = f(a, b), both converted to out's dtype; `f` is generic over int64_t, float and double.
template <class F>
Status binary(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  return dispatch_compute(context, out.dtype(), [&](auto tag) {
    return map<typename decltype(tag)::Type>(context, out, out.dtype(), a, out.dtype(), b, f);
  });
}

// As binary, where out is of a floating dtype; `f` is generic over float and double.
template <class F>
Status binary_floating(KernelContext& context, const Operand& a, const Operand& b, Tensor& out,
                       F f) {
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    return map<typename decltype(tag)::Type>(context, out, unrounded(a, out.dtype()), a,
                                             unrounded(b, out.dtype()), b, f);
  });
}

// out (bool) = f(a, b), both converted to their common dtype.
template <class F>
Status compare(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  ops::ResultType type;
  a.promote(&type);
  b.promote(&type);
  const DType common = type.get();
  return dispatch_compute(context, common, [&](auto tag) {
    return map<typename decltype(tag)::Type, bool>(context, out, common, a, common, b, f);
  });
}

}  // namespace cresset::kernels
