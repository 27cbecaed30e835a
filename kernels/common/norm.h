// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/common/elements.h"
#include "kernels/common/loop_nest.h"

// What all normalisations share: a set of elements, its mean and variance, and the affine map that
// follows.
namespace cresset::kernels {

// The elements that are normalised together: blocks are input, output, weight and bias, strides in
// elements.
using NormSet = LoopNest<4>;

inline void push_dim(NormSet* set, int64_t size, int64_t in, int64_t out, int64_t weight,
                     int64_t bias) {
  set->push(size, {static_cast<ptrdiff_t>(in), static_cast<ptrdiff_t>(out),
                   static_cast<ptrdiff_t>(weight), static_cast<ptrdiff_t>(bias)});
}

// f(0) + ... + f(count - 1), in several partial sums: faster, and more precise than one.
template <class C, class F>
C sum_of(int64_t count, F&& f) {
  constexpr int kParts = 8;
  C parts[kParts] = {};
  int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (int p = 0; p < kParts; ++p) {
      parts[p] += f(i + p);
    }
  }
  C rest = 0;
  for (; i < count; ++i) {
    rest += f(i);
  }
  for (int p = 0; p < kParts; ++p) {
    rest += parts[p];
  }
  return rest;
}

// Sum of (x - center)^2 where `squares`, else of x.
template <class E>
typename E::Compute sum_over(const NormSet& set, typename E::In in, typename E::Compute center,
                             bool squares) {
  using C = typename E::Compute;
  C sum = 0;
  const ptrdiff_t step = set.inner_stride(0);
  set.for_each_run([&](const ptrdiff_t* at) {
    const auto from = in + at[0];
    sum += squares ? sum_of<C>(set.inner_size(),
                               [&](int64_t i) {
                                 const C x = from[i * step] - center;
                                 return x * x;
                               })
                   : sum_of<C>(set.inner_size(), [&](int64_t i) { return from[i * step]; });
  });
  return sum;
}

template <class C>
struct Moments {
  C mean, variance;  // variance: mean of the squared distances
};

template <class E>
Moments<typename E::Compute> moments_of(const NormSet& set, typename E::In in, int64_t count) {
  using C = typename E::Compute;
  const C mean = sum_over<E>(set, in, 0, false) / static_cast<C>(count);
  return {mean, sum_over<E>(set, in, mean, true) / static_cast<C>(count)};
}

// 1 / sqrt(variance + eps).
template <class C>
C inverse_deviation(C variance, double eps) {
  return C(1) / std::sqrt(variance + static_cast<C>(eps));
}

// Parameters as kernels are handed them; either may be null.
struct Parameters {
  const Tensor* weight;
  const Tensor* bias;
};

// out = (in - mean) * scale * weight + bias; `first` is the set's first parameter. I, P, O: how
// elements of input, parameters and output are computed.
template <class I, class P, class O>
void normalize(const NormSet& set, typename I::In in, typename I::Compute mean,
               typename I::Compute scale, const Parameters& parameters, int64_t first,
               typename O::Out out) {
  using C = typename I::Compute;
  const bool weighted = parameters.weight != nullptr, biased = parameters.bias != nullptr;
  typename P::In weight = {}, bias = {};
  if (weighted) {
    weight = elements_of<P>(*parameters.weight) + first;
  }
  if (biased) {
    bias = elements_of<P>(*parameters.bias) + first;
  }
  const ptrdiff_t in_step = set.inner_stride(0), out_step = set.inner_stride(1);
  const ptrdiff_t weight_step = set.inner_stride(2), bias_step = set.inner_stride(3);
  const int64_t size = set.inner_size();
  set.for_each_run([&](const ptrdiff_t* at) {
    const auto from = in + at[0];
    const auto to = out + at[1];
    for (int64_t i = 0; i < size; ++i) {
      C x = (from[i * in_step] - mean) * scale;
      if (weighted) {
        x *= weight[at[2] + i * weight_step];
      }
      if (biased) {
        x += bias[at[3] + i * bias_step];
      }
      store(to, i * out_step, x);
    }
  });
}

// f(I(), P()): how to compute elements of an input of dtype `input` and of parameters of dtype
// `parameters`: the same, or float32 beside 16-bit floats.
template <class F>
Status dispatch_norm(KernelContext& context, DType input, DType parameters, F&& f) {
  return dispatch_float_elements(context, input, [&](auto e) {
    using I = decltype(e);
    if constexpr (std::is_same_v<I, Float16>) {
      if (parameters == DType::kFloat32) {
        return f(I(), Float32());
      }
    }
    if (parameters != input) {
      return context.fail(Status::kInvalidType, "parameters of {} beside input of {}", parameters,
                          input);
    }
    return f(I(), I());
  });
}

inline DType parameters_dtype(const Parameters& parameters, DType input) {
  return parameters.weight != nullptr ? parameters.weight->dtype()
         : parameters.bias != nullptr ? parameters.bias->dtype()
                                      : input;
}

// Sets that are the last dimensions of a tensor, behind `leading` others. Blocks of the outer loops
// are input, output and statistics.
struct LastDims {
  NormSet set;
  LoopNest<3> sets;
  int64_t count = 1;

  LastDims(const Tensor& input, const Tensor& out, const Tensor& statistics,
           const Parameters& parameters, size_t leading) {
    const auto stride_of = [](const Tensor* parameter, size_t d) {
      return parameter == nullptr ? 0 : parameter->stride(d);
    };
    for (size_t d = 0; d < input.rank(); ++d) {
      if (d < leading) {
        sets.push(input.size(d),
                  {static_cast<ptrdiff_t>(input.stride(d)), static_cast<ptrdiff_t>(out.stride(d)),
                   static_cast<ptrdiff_t>(statistics.stride(d))});
      } else {
        push_dim(&set, input.size(d), input.stride(d), out.stride(d),
                 stride_of(parameters.weight, d - leading),
                 stride_of(parameters.bias, d - leading));
        count *= input.size(d);
      }
    }
  }

  // f(offsets) for the first element of each set.
  template <class F>
  void for_each_set(F&& f) const {
    sets.for_each_run([&](const ptrdiff_t* run) {
      ptrdiff_t at[3] = {run[0], run[1], run[2]};
      for (int64_t i = 0; i < sets.inner_size(); ++i) {
        f(at);
        for (size_t b = 0; b < 3; ++b) {
          at[b] += sets.inner_stride(b);
        }
      }
    });
  }
};

}  // namespace cresset::kernels
