// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_shape.h"

// Operators that repeat, shuffle, pad or blank the input's elements.
namespace cresset::ops::infer {

// (self, int[] dims)
template <class C>
Status flip(C& c) {
  uint32_t mask;
  CRESSET_TRY(dim_mask(c, 1, &mask));
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// (self, SymInt[] shifts, int[] dims): without dims one shift of the flattened tensor.
template <class C>
Status roll(C& c) {
  const size_t shifts = c.list_size(1);
  const size_t dims = c.list_size(2);
  if (shifts == 0 || (dims == 0 && shifts != 1) || (dims != 0 && dims != shifts)) {
    return c.fail("{} shifts for {} dims", shifts, dims);
  }
  for (size_t k = 0; k < dims; ++k) {
    size_t dim;
    CRESSET_TRY(wrap_real_dim(c, c.int_item(2, k), c.rank(0), &dim));
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

// (self, SymInt[] repeats)
template <class C>
Status repeat(C& c) {
  using D = typename C::Dim;
  const size_t rank = c.list_size(1);
  if (rank < c.rank(0) || rank > kMaxRank) {
    return c.fail("{} repeats for a tensor of rank {}", rank, c.rank(0));
  }
  Dims<D> out;
  for (size_t k = 0; k < rank; ++k) {
    const D times = c.dim_item(1, k);
    if (C::known(times).value_or(0) < 0) {
      return c.fail("repeat {} at dimension {} is negative", *C::known(times), k);
    }
    const size_t added = rank - c.rank(0);
    out.push(k < added ? times : times * c.size(0, k - added));
  }
  return c.set(0, out, c.dtype(0));
}

// a / b for a dimension that must divide.
template <class C>
Status divided(C& c, const char* what, const typename C::Dim& a, int64_t b,
               typename C::Dim* quotient) {
  if (C::known(a).value_or(0) % b != 0) {
    return c.fail("{} {} is not a multiple of {}", what, *C::known(a), b);
  }
  *quotient = floor_div(a, b);
  return Status::kOk;
}

template <class C>
Status check_factor(C& c) {
  if (c.rank(0) < 3) {
    return c.fail("self has rank {}, expected at least 3", c.rank(0));
  }
  if (c.integer(1) <= 0 || c.integer(1) > INT16_MAX) {
    return c.fail("factor {} is out of range [1, {}]", c.integer(1), INT16_MAX);
  }
  return Status::kOk;
}

// (self, int upscale_factor): [..., C * r * r, H, W] to [..., C, H * r, W * r].
template <class C>
Status pixel_shuffle(C& c) {
  CRESSET_TRY(check_factor(c));
  const int64_t r = c.integer(1);
  Dims<typename C::Dim> out = sizes_of(c, 0);
  CRESSET_TRY(divided(c, "channels", out[out.rank - 3], r * r, &out[out.rank - 3]));
  out[out.rank - 2] = out[out.rank - 2] * r;
  out[out.rank - 1] = out[out.rank - 1] * r;
  return c.set(0, out, c.dtype(0));
}

// (self, int downscale_factor): the inverse.
template <class C>
Status pixel_unshuffle(C& c) {
  CRESSET_TRY(check_factor(c));
  const int64_t r = c.integer(1);
  Dims<typename C::Dim> out = sizes_of(c, 0);
  out[out.rank - 3] = out[out.rank - 3] * (r * r);
  CRESSET_TRY(divided(c, "height", out[out.rank - 2], r, &out[out.rank - 2]));
  CRESSET_TRY(divided(c, "width", out[out.rank - 1], r, &out[out.rank - 1]));
  return c.set(0, out, c.dtype(0));
}

// Adds the padding pair of each of the last `pairs` dimensions; the list starts at the last one.
template <class C>
Status padded(C& c, size_t pairs, bool may_be_empty, Dims<typename C::Dim>* out) {
  for (size_t k = 0; k < pairs; ++k) {
    typename C::Dim& size = (*out)[out->rank - 1 - k];
    const Optional<int64_t> before = C::known(size);
    size = size + c.dim_item(1, 2 * k) + c.dim_item(1, 2 * k + 1);
    const int64_t after = C::known(size).value_or(1);
    if (after < 0 || (after == 0 && !may_be_empty)) {
      return c.fail("size {} at dimension {} becomes {}", before.value_or(0), out->rank - 1 - k,
                    after);
    }
  }
  return Status::kOk;
}

// (self, SymInt[] pad, Scalar value)
template <class C>
Status constant_pad(C& c) {
  const size_t count = c.list_size(1);
  if (count % 2 != 0 || count / 2 > c.rank(0)) {
    return c.fail("{} paddings for a tensor of rank {}", count, c.rank(0));
  }
  Dims<typename C::Dim> out = sizes_of(c, 0);
  CRESSET_TRY(padded(c, count / 2, true, &out));
  return c.set(0, out, c.dtype(0));
}

// (self, SymInt[2 * dims] padding) over the last `dims` dimensions of [C, ...] or [N, C, ...].
// A reflection must be shorter than what it reflects.
template <class C>
Status spatial_pad(C& c, size_t dims, bool reflects) {
  const size_t rank = c.rank(0);
  if (c.list_size(1) != 2 * dims) {
    return c.fail("{} paddings, expected {}", c.list_size(1), 2 * dims);
  }
  if (rank != dims + 1 && rank != dims + 2) {
    return c.fail("self has rank {}, expected {} or {}", rank, dims + 1, dims + 2);
  }
  const size_t batch = rank - dims - 1;  // 1: dimension 0 may be empty
  for (size_t d = batch; d < rank; ++d) {
    const Optional<int64_t> size = C::known(c.size(0, d));
    if (size.value_or(1) == 0) {
      return c.fail("size 0 at dimension {}", d);
    }
    const size_t k = rank - 1 - d;
    for (size_t side = 0; reflects && k < dims && side < 2; ++side) {
      const int64_t pad = C::known(c.dim_item(1, 2 * k + side)).value_or(0);
      if (size.has_value() && pad >= *size) {
        return c.fail("padding {} must be less than size {} at dimension {}", pad, *size, d);
      }
    }
  }
  Dims<typename C::Dim> out = sizes_of(c, 0);
  CRESSET_TRY(padded(c, dims, false, &out));
  return c.set(0, out, c.dtype(0));
}

template <class C>
Status reflection_pad1d(C& c) {
  return spatial_pad(c, 1, true);
}
template <class C>
Status reflection_pad2d(C& c) {
  return spatial_pad(c, 2, true);
}
template <class C>
Status reflection_pad3d(C& c) {
  return spatial_pad(c, 3, true);
}
template <class C>
Status replication_pad1d(C& c) {
  return spatial_pad(c, 1, false);
}
template <class C>
Status replication_pad2d(C& c) {
  return spatial_pad(c, 2, false);
}
template <class C>
Status replication_pad3d(C& c) {
  return spatial_pad(c, 3, false);
}

// (self, SymInt diagonal) over the last two dimensions.
template <class C>
Status triangle(C& c) {
  if (c.rank(0) < 2) {
    return c.fail("self has rank {}, expected at least 2", c.rank(0));
  }
  return c.set(0, sizes_of(c, 0), c.dtype(0));
}

}  // namespace cresset::ops::infer
