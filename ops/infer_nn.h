// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_conv.h"

namespace cresset::ops::infer {

// Argument i is an image of `spatial` dimensions: [c, spatial...] or [n, c, spatial...]; only n may
// be zero.
template <class C>
Status want_image(C& c, size_t spatial, bool batch_optional) {
  const size_t rank = c.rank(0);
  if (rank != spatial + 2 && !(batch_optional && rank == spatial + 1)) {
    return c.fail("the input must have {} dimensions{}, got {}", spatial + 2,
                  batch_optional ? " or one less" : "", rank);
  }
  for (size_t d = rank == spatial + 2 ? 1 : 0; d < rank; ++d) {
    if (C::known(c.size(0, d)).value_or(1) == 0) {
      return c.fail("dimension {} of the input must not be 0", d);
    }
  }
  return Status::kOk;
}

// The windows of a pool; `stride_at` may be empty: the kernel size.
struct PoolArgs {
  size_t kernel = 1, stride = 2, padding = 3;
  size_t dilation = 0;  // 0: none
  size_t ceil_mode = 4;
};

template <class C>
Status pool_sizes(C& c, size_t spatial, const PoolArgs& at, Dims<typename C::Dim>* dims) {
  using D = typename C::Dim;
  CRESSET_TRY(want_image(c, spatial, true));
  CRESSET_TRY(want_list(c, at.kernel, spatial, 1, "kernel_size"));
  const bool strided = c.list_size(at.stride) != 0;
  if (strided) {
    CRESSET_TRY(want_list(c, at.stride, spatial, 1, "stride"));
  }
  CRESSET_TRY(want_list(c, at.padding, spatial, 0, "padding"));
  if (at.dilation != 0) {
    CRESSET_TRY(want_list(c, at.dilation, spatial, 1, "dilation"));
  }
  *dims = sizes_of(c, 0);
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t kernel = spread_item(c, at.kernel, d);
    const int64_t stride = strided ? spread_item(c, at.stride, d) : kernel;
    const int64_t pad = spread_item(c, at.padding, d);
    const int64_t reach = (at.dilation == 0 ? 1 : spread_item(c, at.dilation, d)) * (kernel - 1);
    if (pad > (reach + 1) / 2) {
      return c.fail("padding must be at most half of the effective kernel size {}, got {}",
                    reach + 1, pad);
    }
    D& size = (*dims)[dims->rank - spatial + d];
    const int64_t slack = 2 * pad - reach - 1;
    if (c.boolean(at.ceil_mode)) {
      // The last window starts inside the input or its left padding.
      size =
          floor_div(size + (slack < pad - stride ? slack : pad - stride) + (stride - 1), stride) +
          1;
    } else {
      size = floor_div(size + slack, stride) + 1;
    }
    const Optional<int64_t> known = C::known(size);
    if (known.has_value() && *known < 1) {
      return c.fail("the kernel of {} exceeds the padded input: the output would have size {}",
                    reach + 1, *known);
    }
  }
  return Status::kOk;
}

template <class C, size_t spatial>
Status max_pool(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(pool_sizes(c, spatial, {1, 2, 3, 4, 5}, &dims));
  CRESSET_TRY(c.set(0, dims, c.dtype(0)));
  return c.set(1, dims, DType::kInt64);
}
template <class C>
Status max_pool2d(C& c) {
  return max_pool<C, 2>(c);
}
// The maxima without their indices.
template <class C>
Status max_pool2d_values(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(pool_sizes(c, 2, {1, 2, 3, 4, 5}, &dims));
  return c.set(0, dims, c.dtype(0));
}
template <class C>
Status max_pool3d(C& c) {
  return max_pool<C, 3>(c);
}

template <class C, size_t spatial>
Status avg_pool(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(pool_sizes(c, spatial, {1, 2, 3, 0, 4}, &dims));
  if (spatial > 1 && c.has(6) && c.integer(6) == 0) {
    return c.fail("divisor_override must not be 0");
  }
  return c.set(0, dims, c.dtype(0));
}
template <class C>
Status avg_pool1d(C& c) {
  return avg_pool<C, 1>(c);
}
template <class C>
Status avg_pool2d(C& c) {
  return avg_pool<C, 2>(c);
}
template <class C>
Status avg_pool3d(C& c) {
  return avg_pool<C, 3>(c);
}

template <class C>
Status adaptive_sizes(C& c, size_t spatial, Dims<typename C::Dim>* dims) {
  CRESSET_TRY(want_image(c, spatial, true));
  if (c.list_size(1) != spatial) {
    return c.fail("output_size must have {} entries, got {}", spatial, c.list_size(1));
  }
  *dims = sizes_of(c, 0);
  for (size_t d = 0; d < spatial; ++d) {
    (*dims)[dims->rank - spatial + d] = c.dim_item(1, d);
    if (C::known(c.dim_item(1, d)).value_or(0) < 0) {
      return c.fail("output_size must not be negative, got {}", *C::known(c.dim_item(1, d)));
    }
  }
  return Status::kOk;
}
template <class C>
Status adaptive_avg_pool2d(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(adaptive_sizes(c, 2, &dims));
  return c.set(0, dims, c.dtype(0));
}
template <class C>
Status adaptive_avg_pool3d(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(adaptive_sizes(c, 3, &dims));
  return c.set(0, dims, c.dtype(0));
}
template <class C>
Status adaptive_max_pool2d(C& c) {
  Dims<typename C::Dim> dims;
  CRESSET_TRY(adaptive_sizes(c, 2, &dims));
  CRESSET_TRY(c.set(0, dims, c.dtype(0)));
  return c.set(1, dims, DType::kInt64);
}

// softmax, log_softmax: (self, dim, half_to_float).
template <class C>
Status softmax(C& c) {
  size_t dim;
  CRESSET_TRY(wrap_dim(c, c.integer(1), c.rank(0), &dim));
  if (c.boolean(2)) {
    return c.fail("half_to_float must be false");
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// The dtype of a norm's statistics: that of its parameters, float32 beside 16-bit inputs, where
// there are any.
template <class C>
Status norm_dtype(C& c, size_t first, size_t last, DType* dtype) {
  *dtype = c.dtype(0);
  bool first_seen = true;
  for (size_t i = first; i <= last; ++i) {
    if (!c.has(i)) {
      continue;
    }
    const bool mixed = c.dtype(i) == DType::kFloat32 && dtype_bytes(c.dtype(0)) == 2;
    if ((c.dtype(i) != c.dtype(0) && !mixed) || (!first_seen && c.dtype(i) != *dtype)) {
      return c.fail("a parameter of {} does not go with input of {}", c.dtype(i), c.dtype(0));
    }
    *dtype = c.dtype(i);
    first_seen = false;
  }
  return Status::kOk;
}

// Argument `shape` (int[]) names the last dimensions of argument 0, and argument i, where present,
// has these sizes.
template <class C>
Status want_normalized(C& c, size_t shape, size_t i, const char* name) {
  if (!c.has(i)) {
    return Status::kOk;
  }
  if (c.rank(i) != c.list_size(shape)) {
    return c.fail("{} must have the {} dimensions of normalized_shape, got {}", name,
                  c.list_size(shape), c.rank(i));
  }
  for (size_t d = 0; d < c.rank(i); ++d) {
    CRESSET_TRY(want_equal(c, c.size(i, d), c.dim_item(shape, d), name));
  }
  return Status::kOk;
}
template <class C>
Status want_normalized_shape(C& c, size_t shape) {
  const size_t count = c.list_size(shape);
  if (count < 1 || count > c.rank(0)) {
    return c.fail("normalized_shape must have 1 to {} entries, got {}", c.rank(0), count);
  }
  for (size_t d = 0; d < count; ++d) {
    CRESSET_TRY(want_equal(c, c.size(0, c.rank(0) - count + d), c.dim_item(shape, d),
                           "a size of input and of normalized_shape"));
  }
  return Status::kOk;
}

// (input, normalized_shape, weight, bias, eps) -> output, mean, rstd.
template <class C>
Status layer_norm(C& c) {
  CRESSET_TRY(want_normalized_shape(c, 1));
  CRESSET_TRY(want_normalized(c, 1, 2, "weight"));
  CRESSET_TRY(want_normalized(c, 1, 3, "bias"));
  DType dtype;
  CRESSET_TRY(norm_dtype(c, 2, 3, &dtype));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  for (size_t d = dims.rank - c.list_size(1); d < dims.rank; ++d) {
    dims[d] = 1;
  }
  CRESSET_TRY(c.set(1, dims, dtype));
  return c.set(2, dims, dtype);
}

// (input, normalized_shape, weight, eps) -> output.
template <class C>
Status rms_norm(C& c) {
  CRESSET_TRY(want_normalized_shape(c, 1));
  CRESSET_TRY(want_normalized(c, 1, 2, "weight"));
  DType dtype;
  CRESSET_TRY(norm_dtype(c, 2, 2, &dtype));
  return c.set(0, sizes_of(c, 0), dtype);
}

// Argument i, where present, has one entry a channel.
template <class C>
Status want_channels(C& c, size_t i, const typename C::Dim& channels, const char* name) {
  if (!c.has(i)) {
    return Status::kOk;
  }
  CRESSET_TRY(want_rank(c, i, 1, name));
  return want_equal(c, c.size(i, 0), channels, name);
}

// (input, weight, bias, N, C, HxW, group, eps) -> output, mean, rstd.
template <class C>
Status group_norm(C& c) {
  using D = typename C::Dim;
  const size_t rank = c.rank(0);
  const int64_t group = c.integer(6);
  if (rank < 2) {
    return c.fail("input must have at least 2 dimensions, got {}", rank);
  }
  CRESSET_TRY(want_equal(c, c.size(0, 0), c.dim(3), "N and the size of the input"));
  CRESSET_TRY(want_equal(c, c.size(0, 1), c.dim(4), "C and the size of the input"));
  D plane = 1;
  for (size_t d = 2; d < rank; ++d) {
    plane = plane * c.size(0, d);
  }
  CRESSET_TRY(want_equal(c, plane, c.dim(5), "HxW and the size of the input"));
  const Optional<int64_t> channels = C::known(c.size(0, 1));
  if (group < 1 || (channels.has_value() && *channels % group != 0)) {
    return c.fail("group {} does not divide the channels", group);
  }
  CRESSET_TRY(want_channels(c, 1, c.size(0, 1), "weight"));
  CRESSET_TRY(want_channels(c, 2, c.size(0, 1), "bias"));
  DType dtype;
  CRESSET_TRY(norm_dtype(c, 1, 2, &dtype));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  Dims<D> dims;
  dims.push(c.size(0, 0));
  dims.push(D(group));
  CRESSET_TRY(c.set(1, dims, dtype));
  return c.set(2, dims, dtype);
}

template <class C>
Status batch_norm_with(C& c, bool running, bool training) {
  using D = typename C::Dim;
  if (c.rank(0) < 2) {
    return c.fail("input must have at least 2 dimensions, got {}", c.rank(0));
  }
  const D channels = c.size(0, 1);
  CRESSET_TRY(want_channels(c, 1, channels, "weight"));
  CRESSET_TRY(want_channels(c, 2, channels, "bias"));
  if (running) {
    CRESSET_TRY(want_channels(c, 3, channels, "running_mean"));
    CRESSET_TRY(want_channels(c, 4, channels, "running_var"));
  }
  DType dtype;
  CRESSET_TRY(norm_dtype(c, 1, running ? 4 : 2, &dtype));
  CRESSET_TRY(c.set(0, sizes_of(c, 0), c.dtype(0)));
  Dims<D> dims;
  dims.push(training ? channels : D(0));
  CRESSET_TRY(c.set(1, dims, dtype));
  return c.set(2, dims, dtype);
}
// (input, weight, bias, running_mean, running_var, training, momentum, eps) -> output, mean and
// inverse deviation of the batch (empty unless training).
template <class C>
Status batch_norm(C& c) {
  return batch_norm_with(c, true, c.boolean(5));
}
// (input, weight, bias, training, momentum, eps).
template <class C>
Status batch_norm_no_stats(C& c) {
  return batch_norm_with(c, false, true);
}
// (input, weight, bias, running_mean, running_var, momentum, eps).
template <class C>
Status batch_norm_no_training(C& c) {
  return batch_norm_with(c, true, false);
}

// (input, output_size, ..., scale_factors): sizes are given, or are the input's times the factors,
// rounded down.
template <class C>
Status upsample(C& c, size_t spatial, size_t factors) {
  using D = typename C::Dim;
  if (c.has(1) == c.has(factors)) {
    return c.fail("exactly one of output_size and scale_factors must be given");
  }
  const size_t given = c.has(1) ? 1 : factors;
  if (c.list_size(given) != spatial) {
    return c.fail("{} must have {} entries, got {}", c.has(1) ? "output_size" : "scale_factors",
                  spatial, c.list_size(given));
  }
  CRESSET_TRY(want_image(c, spatial, false));
  Dims<D> dims = sizes_of(c, 0);
  for (size_t d = 0; d < spatial; ++d) {
    D& size = dims[2 + d];
    if (c.has(1)) {
      size = c.dim_item(1, d);
    } else {
      const double factor = c.double_item(factors, d);
      const Optional<int64_t> from = C::known(size);
      const int64_t times = Scalar::of_double(factor).to_int();
      if (from.has_value()) {
        size = D(Scalar::of_double(static_cast<double>(*from) * factor).to_int());
      } else if (factor > 0 && factor == static_cast<double>(times)) {
        size = size * times;
      } else {
        const int64_t part = factor > 0 ? Scalar::of_double(1 / factor).to_int() : 0;
        if (part < 1 || factor != 1 / static_cast<double>(part)) {
          return c.fail("scale factor {} of a dynamic dimension must be an integer or 1/integer",
                        factor);
        }
        size = floor_div(size, part);
      }
    }
    if (C::known(size).value_or(1) < 1) {
      return c.fail("dimension {} of the output must be at least 1, got {}", 2 + d,
                    *C::known(size));
    }
  }
  return c.set(0, dims, c.dtype(0));
}
template <class C>
Status upsample_nearest1d(C& c) {
  return upsample(c, 1, 2);
}
template <class C>
Status upsample_nearest2d(C& c) {
  return upsample(c, 2, 2);
}
template <class C>
Status upsample_linear1d(C& c) {
  return upsample(c, 1, 3);
}
template <class C>
Status upsample_2d(C& c) {
  return upsample(c, 2, 3);
}

// input [n, c, h, w], grid [n, oh, ow, 2] -> [n, c, oh, ow].
template <class C>
Status grid_sampler_2d(C& c) {
  CRESSET_TRY(want_image(c, 2, false));
  CRESSET_TRY(want_rank(c, 1, 4, "grid"));
  CRESSET_TRY(want_dtype_of_first(c, 1, "input", "grid"));
  CRESSET_TRY(want_equal(c, c.size(0, 0), c.size(1, 0), "batches of input and grid"));
  CRESSET_TRY(want_equal(c, c.size(1, 3), typename C::Dim(2), "last dimension of grid"));
  Dims<typename C::Dim> dims = sizes_of(c, 0);
  dims[2] = c.size(1, 1);
  dims[3] = c.size(1, 2);
  return c.set(0, dims, c.dtype(0));
}

// Attention over a cache: sizes and dtype of the query.
template <class C>
Status custom_sdpa(C& c) {
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// A result that means nothing, as the operator has one.
template <class C>
Status update_cache(C& c) {
  Dims<typename C::Dim> one;
  one.push(1);
  return c.set(0, one, c.dtype(0));
}

}  // namespace cresset::ops::infer
