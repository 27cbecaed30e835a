// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/quantize.h"

#include <cmath>

#include "kernels/common/elementwise.h"

namespace cresset::kernels {

namespace {

Status check_float(KernelContext& context, const Tensor& input) {
  const DType dtype = input.dtype();
  if (dtype != DType::kFloat32 && dtype != DType::kFloat16 && dtype != DType::kBFloat16) {
    return context.fail(Status::kInvalidType, "input: {} is not supported", dtype);
  }
  return Status::kOk;
}

Status check_stated(KernelContext& context, const Tensor& input, DType stated) {
  if (input.dtype() != stated) {
    return context.fail(Status::kInvalidType, "input is {}, dtype says {}", input.dtype(), stated);
  }
  return Status::kOk;
}

// out = f(input, scale, zero) in C, of which `f` gives R.
template <class C, class R, class F>
Status map_parameters(KernelContext& context, const Tensor& input, const Tensor& scales,
                      const Tensor* zero_points, Tensor& out, F f) {
  constexpr DType kCompute = kDTypeOf<C>;
  const Source sources[] = {
      {input, kCompute, input.dtype()},
      {scales, kCompute, scales.dtype()},
      {zero_points == nullptr ? Operand(Scalar::of_int(0)) : Operand(*zero_points), kCompute,
       zero_points == nullptr ? DType::kInt64 : zero_points->dtype()}};
  return run_elementwise(context, sources, kDTypeOf<R>, out,
                         [f](size_t count, const void* const* in, void* result) {
                           const C* const x = static_cast<const C*>(in[0]);
                           const C* const scale = static_cast<const C*>(in[1]);
                           const C* const zero = static_cast<const C*>(in[2]);
                           R* const r = static_cast<R*>(result);
                           for (size_t i = 0; i < count; ++i) {
                             r[i] = f(x[i], scale[i], zero[i]);
                           }
                         });
}

}  // namespace

Status quantize(KernelContext& context, const Tensor& input, double scale, int64_t zero_point,
                const QuantBounds& bounds, Tensor& out) {
  CRESSET_TRY(check_float(context, input));
  const float inverse = static_cast<float>(1.0 / scale);
  const float zero = static_cast<float>(zero_point);
  return map<float, int64_t>(context, out, DType::kFloat32, input, [=](float x) {
    return clamped(std::nearbyint(x * inverse) + zero, bounds);
  });
}

Status dequantize(KernelContext& context, const Tensor& input, DType stated, double scale,
                  int64_t zero_point, Tensor& out) {
  CRESSET_TRY(check_stated(context, input, stated));
  return unary_floating(context, input, out, [=](auto x) {
    using C = decltype(x);
    return (x - static_cast<C>(zero_point)) * static_cast<C>(scale);
  });
}

Status quantize(KernelContext& context, const Tensor& input, const Tensor& scales,
                const Tensor* zero_points, ZeroPoint when, const QuantBounds& bounds, Tensor& out) {
  const bool wide = input.dtype() == DType::kFloat64;
  if (!wide) {
    CRESSET_TRY(check_float(context, input));
  }
  return dispatch_compute_floating(context, wide ? DType::kFloat64 : scales.dtype(), [&](auto tag) {
    using C = typename decltype(tag)::Type;
    return map_parameters<C, int64_t>(
        context, input, scales, zero_points, out, [=](C x, C scale, C zero) {
          const C scaled = x * (C(1) / scale);
          return clamped(when == ZeroPoint::kAfterRounding ? std::nearbyint(scaled) + zero
                                                           : std::nearbyint(scaled + zero),
                         bounds);
        });
  });
}

Status dequantize(KernelContext& context, const Tensor& input, DType stated, const Tensor& scales,
                  const Tensor* zero_points, Tensor& out) {
  CRESSET_TRY(check_stated(context, input, stated));
  // In double the difference of integers of 32 bits is exact.
  return dispatch_compute_floating(context, out.dtype(), [&](auto tag) {
    using R = typename decltype(tag)::Type;
    const bool single = scales.dtype() != DType::kFloat64;
    return map_parameters<double, R>(
        context, input, scales, zero_points, out, [=](double q, double scale, double zero) {
          return single ? static_cast<R>(static_cast<float>(q - zero) * static_cast<float>(scale))
                        : static_cast<R>((q - zero) * scale);
        });
  });
}

namespace {

struct Spread {
  int32_t sizes[kMaxRank];
  Spread(const Tensor& vector, const Tensor& input, int64_t axis) {
    for (size_t d = 0; d < input.rank(); ++d) {
      sizes[d] = 1;
    }
    sizes[axis < 0 ? axis + static_cast<int64_t>(input.rank()) : axis] = vector.sizes()[0];
  }
};

}  // namespace

ChannelParameter::ChannelParameter(const Tensor& vector, const Tensor& input, int64_t axis)
    : spread_(vector.dtype(), {Spread(vector, input, axis).sizes, input.rank()},
              const_cast<void*>(vector.raw_data()), vector.nbytes()) {}

double number_of(const Tensor& tensor) {
  double number = 0;
  if (can_load(tensor.dtype())) {
    load_run(DType::kFloat64, &number, tensor.dtype(), tensor.raw_data(), 0, 1);
  }
  return number;
}

}  // namespace cresset::kernels
