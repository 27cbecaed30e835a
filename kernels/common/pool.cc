// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/pool.h"

namespace cresset::kernels {

Pool::Pool(size_t spatial, Span<const int64_t> kernel_size, Span<const int64_t> strides,
           Span<const int64_t> paddings, Span<const int64_t> dilations) {
  const Spread kernels(kernel_size, spatial, 1);
  const Spread steps(strides.empty() ? kernel_size : strides, spatial, 1);
  const Spread pads(paddings, spatial, 0);
  const Spread apart(dilations, spatial, 1);
  for (size_t d = 0; d < kMaxSpatial; ++d) {
    kernel[d] = kernels[d];
    stride[d] = steps[d];
    padding[d] = pads[d];
    dilation[d] = apart[d];
  }
}

void Pool::place(size_t d, int64_t at, int64_t in, int64_t out, Window* window) const {
  if (adaptive) {
    window->first[d] = at * in / out;
    window->count[d] = ((at + 1) * in + out - 1) / out - window->first[d];
    window->size *= window->count[d];
    return;
  }
  const int64_t step = dilation[d];
  int64_t begin = at * stride[d] - padding[d];
  int64_t end = begin + (kernel[d] - 1) * step + 1;
  window->size *= (end < in + padding[d] ? end : in + padding[d]) - begin;
  end = end < in ? end : in;
  begin = begin < 0 ? begin + (-begin + step - 1) / step * step : begin;
  window->first[d] = begin;
  window->count[d] = end > begin ? (end - begin + step - 1) / step : 0;
}

namespace {

template <class C>
bool is_nan(C value) {
  return value != value;
}

template <class C>
C divide(C sum, int64_t count) {
  return count == 0 ? C(0) : sum / static_cast<C>(count);
}
int64_t divide(int64_t sum, int64_t count) {
  return count == 0    ? 0
         : count == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(sum))
                       : sum / count;
}

}  // namespace

Status max_pool(KernelContext& context, const Pool& pool, size_t spatial, const Tensor& self,
                Tensor& out, Tensor* indices) {
  const Volume in(self, spatial), to(out, spatial);
  const Volume place(indices == nullptr ? out : *indices, spatial);
  int64_t* const places = indices == nullptr ? nullptr : indices->mutable_data<int64_t>();
  return dispatch_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    const auto from = elements_of<E>(self);
    const auto result = elements_of<E>(out);
    for_each_window(context, pool, in, to,
                    [&](const Window& window, int64_t plane, const Place& at) {
                      bool first = true;
                      C best = 0;
                      int64_t best_place = 0;
                      for_each_in_window(pool, in, window, [&](int64_t offset, int64_t where) {
                        const C value = from[plane + offset];
                        if (first || value > best || is_nan(value)) {
                          best = value;
                          best_place = where;
                          first = false;
                        }
                      });
                      store(result, to.offset(at), best);
                      if (places != nullptr) {
                        places[place.offset(at)] = best_place;
                      }
                    });
    return Status::kOk;
  });
}

Status mean_pool(KernelContext& context, const Pool& pool, size_t spatial, const Tensor& self,
                 bool count_padding, int64_t divisor, Tensor& out) {
  const Volume in(self, spatial), to(out, spatial);
  return dispatch_elements(context, self.dtype(), [&](auto e) {
    using E = decltype(e);
    using C = typename E::Compute;
    const auto from = elements_of<E>(self);
    const auto result = elements_of<E>(out);
    for_each_window(context, pool, in, to,
                    [&](const Window& window, int64_t plane, const Place& at) {
                      C sum = 0;
                      for_each_in_window(pool, in, window, [&](int64_t offset, int64_t) {
                        sum = multiply_add(sum, C(1), from[plane + offset]);
                      });
                      const int64_t count = divisor != 0    ? divisor
                                            : count_padding ? window.size
                                                            : window.positions();
                      store(result, to.offset(at), divide(sum, count));
                    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
