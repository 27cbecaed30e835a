// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/complex_elementwise.h"

#include <cmath>
#include <cstring>

#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

using Number = Complex<double>;
// `count` consecutive numbers of each operand; the results go to `out`, which may be `a`.
using ComplexFn = FunctionRef<void(int64_t count, const Number* a, const Number* b, Number* out)>;

constexpr int64_t kChunk = 32;

template <class T>
void read_as(const uint8_t* from, ptrdiff_t stride, int64_t count, Number* to) {
  for (int64_t i = 0; i < count; ++i) {
    Complex<T> value;
    std::memcpy(&value, from + static_cast<ptrdiff_t>(i) * stride, sizeof(value));
    to[i] = {static_cast<double>(value.re), static_cast<double>(value.im)};
  }
}

void read(DType dtype, const uint8_t* from, ptrdiff_t stride, int64_t count, Number* to) {
  switch (dtype) {
    case DType::kComplex32:
      return read_as<Half>(from, stride, count, to);
    case DType::kComplex64:
      return read_as<float>(from, stride, count, to);
    case DType::kComplex128:
      return read_as<double>(from, stride, count, to);
    default:
      double reals[kChunk];
      load_run(DType::kFloat64, reals, dtype, from, stride, static_cast<size_t>(count));
      for (int64_t i = 0; i < count; ++i) {
        to[i] = {reals[i], 0};
      }
  }
}

template <class T>
void write_as(uint8_t* to, int64_t count, const Number* numbers) {
  for (int64_t i = 0; i < count; ++i) {
    const Complex<T> value = {convert<T>(numbers[i].re), convert<T>(numbers[i].im)};
    std::memcpy(to + static_cast<size_t>(i) * sizeof(value), &value, sizeof(value));
  }
}

void write(DType dtype, uint8_t* to, int64_t count, const Number* numbers) {
  dtype == DType::kComplex32   ? write_as<Half>(to, count, numbers)
  : dtype == DType::kComplex64 ? write_as<float>(to, count, numbers)
                               : write_as<double>(to, count, numbers);
}

Status run(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, ComplexFn f) {
  if (!is_complex(out.dtype())) {
    return context.fail(Status::kInvalidType, "{} is not supported", out.dtype());
  }
  const Operand* const operands[] = {&a, &b};
  for (const Operand* operand : operands) {
    if (!is_complex(operand->dtype) && !can_load(operand->dtype)) {
      return context.fail(Status::kInvalidType, "{} is not supported", operand->dtype);
    }
  }
  LoopNest<2> nest;
  for (const uint8_t d : out.dim_order()) {
    nest.push(out.size(d), {a.stride_bytes(d, out.rank()), b.stride_bytes(d, out.rank())});
  }
  uint8_t* to = out.mutable_data<uint8_t>();
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t at = 0; at < nest.inner_size(); at += kChunk) {
      const int64_t rest = nest.inner_size() - at;
      const int64_t count = rest < kChunk ? rest : kChunk;
      Number numbers[2][kChunk];
      for (size_t k = 0; k < 2; ++k) {
        const ptrdiff_t stride = nest.inner_stride(k);
        read(operands[k]->dtype,
             operands[k]->data() + offsets[k] + static_cast<ptrdiff_t>(at) * stride, stride, count,
             numbers[k]);
      }
      f(count, numbers[0], numbers[1], numbers[0]);
      write(out.dtype(), to, count, numbers[0]);
      to += static_cast<size_t>(count) * dtype_bytes(out.dtype());
    }
  });
  return Status::kOk;
}

// run with f(const Number&, const Number&) for one number of each operand.
template <class F>
Status run_each(KernelContext& context, const Operand& a, const Operand& b, Tensor& out, F f) {
  return run(context, a, b, out,
             [&f](int64_t count, const Number* x, const Number* y, Number* result) {
               for (int64_t i = 0; i < count; ++i) {
                 result[i] = f(x[i], y[i]);
               }
             });
}

}  // namespace

Status complex_add(KernelContext& context, const Operand& a, const Operand& b, double alpha,
                   Tensor& out) {
  return run_each(context, a, b, out, [alpha](const Number& x, const Number& y) {
    return Number{x.re + alpha * y.re, x.im + alpha * y.im};
  });
}

Status complex_multiply(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run_each(context, a, b, out, [](const Number& x, const Number& y) {
    return Number{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  });
}

Status complex_divide(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run_each(context, a, b, out, [](const Number& x, const Number& y) {
    // Scaled by the larger part of the divisor, whose square might overflow.
    const double scale = std::fmax(std::fabs(y.re), std::fabs(y.im));
    const Number d = {y.re / scale, y.im / scale};
    const double norm = (d.re * d.re + d.im * d.im) * scale;
    return Number{(x.re * d.re + x.im * d.im) / norm, (x.im * d.re - x.re * d.im) / norm};
  });
}

Status complex_power(KernelContext& context, const Operand& a, const Operand& b, Tensor& out) {
  return run_each(context, a, b, out, [](const Number& x, const Number& y) {
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
