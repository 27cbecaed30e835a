// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/complex_elementwise.h"

#include <cmath>
#include <cstring>

#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

using Number = Complex<double>;
using ComplexFn = FunctionRef<Number(const Number& a, const Number& b)>;

template <class T>
Number read_as(const uint8_t* from) {
  Complex<T> value;
  std::memcpy(&value, from, sizeof(value));
  return {static_cast<double>(value.re), static_cast<double>(value.im)};
}

Number read(DType dtype, const uint8_t* from) {
  switch (dtype) {
    case DType::kComplex32:
      return read_as<Half>(from);
    case DType::kComplex64:
      return read_as<float>(from);
    case DType::kComplex128:
      return read_as<double>(from);
    default:
      Number value = {0, 0};
      load_run(DType::kFloat64, &value.re, dtype, from, 0, 1);
      return value;
  }
}

template <class T>
void write_as(uint8_t* to, const Number& number) {
  const Complex<T> value = {convert<T>(number.re), convert<T>(number.im)};
  std::memcpy(to, &value, sizeof(value));
}

void write(DType dtype, uint8_t* to, const Number& number) {
  dtype == DType::kComplex32   ? write_as<Half>(to, number)
  : dtype == DType::kComplex64 ? write_as<float>(to, number)
                               : write_as<double>(to, number);
}

Status run(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, ComplexFn f) {
  if (!is_complex(out.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", out.dtype());
  }
  const Operand* const operands[] = {&a, &b};
  const uint8_t* data[2];
  for (size_t k = 0; k < 2; ++k) {
    if (!is_complex(operands[k]->dtype) && !can_load(operands[k]->dtype)) {
      return context.fail(Status::kInvalidType, "{} is not supported", operands[k]->dtype);
    }
    data[k] = operands[k]->data();
  }
  LoopNest<2> nest;
  for (const uint8_t d : out.dim_order()) {
    nest.push(out.size(d), {a.stride_bytes(d, out.rank()), b.stride_bytes(d, out.rank())});
  }
  uint8_t* to = out.mutable_data<uint8_t>();
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < nest.inner_size(); ++i) {
      const Number r = f(read(a.dtype, data[0] + offsets[0] + i * nest.inner_stride(0)),
                         read(b.dtype, data[1] + offsets[1] + i * nest.inner_stride(1)));
      write(out.dtype(), to, r);
      to += dtype_bytes(out.dtype());
    }
  });
  return Status::kOk;
}

}  // namespace

Status complex_add(KernelContext& context, const Operand& a, const Operand& b, double alpha,
                   Tensor& out) {
  return run(context, a, b, out, [alpha](const Number& x, const Number& y) {
    return Number{x.re + alpha * y.re, x.im + alpha * y.im};
  });
}

Status complex_multiply(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run(context, a, b, out, [](const Number& x, const Number& y) {
    return Number{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  });
}

Status complex_divide(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run(context, a, b, out, [](const Number& x, const Number& y) {
    // Scaled by the larger part of the divisor, whose square might overflow.
    const double scale = std::fmax(std::fabs(y.re), std::fabs(y.im));
    const Number d = {y.re / scale, y.im / scale};
    const double norm = (d.re * d.re + d.im * d.im) * scale;
    return Number{(x.re * d.re + x.im * d.im) / norm, (x.im * d.re - x.re * d.im) / norm};
  });
}

Status complex_power(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run(context, a, b, out, [](const Number& x, const Number& y) {
    if (y.re == 0 && y.im == 0) {
      return Number{1, 0};
    }
    if (x.re == 0 && x.im == 0) {
      return Number{0, 0};
    }
    const double log_length = std::log(std::hypot(x.re, x.im));
    const double angle = std::atan2(x.im, x.re);
    const double length = std::exp(y.re * log_length - y.im * angle);
    const double turn = y.im * log_length + y.re * angle;
    return Number{length * std::cos(turn), length * std::sin(turn)};
  });
}

}  // namespace cresset::kernels
