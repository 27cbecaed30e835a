// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_matmul.h"

namespace cresset::ops::infer {

// Entry d of an int[] argument with one entry for each of `count` dimensions, or one for all.
template <class C>
int64_t spread_item(C& c, size_t i, size_t d) {
  return c.int_item(i, c.list_size(i) == 1 ? 0 : d);
}

// Argument i has one or `count` entries, each at least `least`.
template <class C>
Status want_list(C& c, size_t i, size_t count, int64_t least, const char* name) {
  if (c.list_size(i) != 1 && c.list_size(i) != count) {
    return c.fail("{} must have 1 or {} entries, got {}", name, count, c.list_size(i));
  }
  for (size_t d = 0; d < c.list_size(i); ++d) {
    if (c.int_item(i, d) < least) {
      return c.fail("{} must be at least {}, got {}", name, least, c.int_item(i, d));
    }
  }
  return Status::kOk;
}

// Where a convolution of argument 0 has its other arguments; output_padding 0: not transposed.
struct ConvolutionArgs {
  size_t weight, stride, padding, dilation, output_padding;
};

// The output's size along spatial dimension d.
template <class C>
Status convolved_size(C& c, const ConvolutionArgs& at, size_t d, typename C::Dim* size) {
  using D = typename C::Dim;
  const int64_t stride = spread_item(c, at.stride, d), pad = spread_item(c, at.padding, d);
  const int64_t dilation = spread_item(c, at.dilation, d);
  const D in = c.size(0, 2 + d);
  const D reach = (c.size(at.weight, 2 + d) - 1) * dilation;
  if (at.output_padding == 0) {
    const D room = in + 2 * pad - reach - 1;
    if (C::known(room).value_or(0) < 0) {
      return c.fail("the kernel exceeds the padded input by {} at dimension {}", -*C::known(room),
                    2 + d);
    }
    *size = floor_div(room, stride) + 1;
    return Status::kOk;
  }
  const int64_t extra = spread_item(c, at.output_padding, d);
  if (extra >= stride && extra >= dilation) {
    return c.fail("output_padding {} must be below stride {} or dilation {}", extra, stride,
                  dilation);
  }
  *size = (in - 1) * stride - 2 * pad + reach + extra + 1;
  if (C::known(*size).value_or(1) < 1) {
    return c.fail("dimension {} of the output would have size {}", 2 + d, *C::known(*size));
  }
  return Status::kOk;
}

// aten::convolution: input [n, ci, spatial...], weight [co, ci / groups, kernel...], transposed
// [ci, co / groups, kernel...].
template <class C>
Status convolution(C& c) {
  using D = typename C::Dim;
  const size_t rank = c.rank(1);
  if (rank < 3) {
    return c.fail("weight must have at least 3 dimensions, got {}", rank);
  }
  const size_t spatial = rank - 2;
  if (c.rank(0) != rank) {
    return c.fail("input must have {} dimensions as weight has, got {}", rank, c.rank(0));
  }
  CRESSET_TRY(want_dtype_of_first(c, 1, "input", "weight"));
  CRESSET_TRY(want_list(c, 3, spatial, 1, "stride"));
  CRESSET_TRY(want_list(c, 4, spatial, 0, "padding"));
  CRESSET_TRY(want_list(c, 5, spatial, 1, "dilation"));
  const bool transposed = c.boolean(6);
  const int64_t groups = c.integer(8);
  if (groups < 1) {
    return c.fail("groups must be at least 1, got {}", groups);
  }
  if (transposed) {
    CRESSET_TRY(want_list(c, 7, spatial, 0, "output_padding"));
    const Optional<int64_t> channels = C::known(c.size(1, 0));
    if (channels.has_value() && *channels % groups != 0) {
      return c.fail("weight's {} input channels are no multiple of groups {}", *channels, groups);
    }
    CRESSET_TRY(want_equal(c, c.size(0, 1), c.size(1, 0), "channels of input and weight"));
  } else {
    const Optional<int64_t> channels = C::known(c.size(1, 0));
    if (channels.has_value() && *channels % groups != 0) {
      return c.fail("weight's {} output channels are no multiple of groups {}", *channels, groups);
    }
    CRESSET_TRY(want_equal(c, c.size(0, 1), c.size(1, 1) * groups,
                           "channels of input, and of weight times groups"));
  }
  const D out_channels = transposed ? c.size(1, 1) * groups : c.size(1, 0);
  if (c.has(2)) {
    CRESSET_TRY(want_dtype_of_first(c, 2, "input", "bias"));
    CRESSET_TRY(want_rank(c, 2, 1, "bias"));
    CRESSET_TRY(want_equal(c, c.size(2, 0), out_channels, "size of bias and output channels"));
  }
  Dims<D> dims;
  dims.push(c.size(0, 0));
  dims.push(out_channels);
  for (size_t d = 0; d < spatial; ++d) {
    dims.push(D(0));
    CRESSET_TRY(
        convolved_size(c, {1, 3, 4, 5, transposed ? size_t{7} : size_t{0}}, d, &dims[2 + d]));
  }
  return c.set(0, dims, c.dtype(0));
}

}  // namespace cresset::ops::infer
