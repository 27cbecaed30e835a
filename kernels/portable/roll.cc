// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "kernels/common/dims.h"
#include "kernels/common/kernel.h"
#include "kernels/common/reshape_copy.h"

namespace cresset::kernels::portable {

namespace {

int64_t shift_in(int64_t shift, int64_t size) {
  const int64_t rest = shift % size;
  return rest < 0 ? rest + size : rest;
}

// Every shifted dimension falls into two parts that keep their order.
void copy_parts(const Tensor& self, const int64_t* shift, size_t dim, const Box& from,
                const Box& to, Tensor& out) {
  if (dim == self.rank()) {
    copy_box(out.mutable_raw_data(), to, self.raw_data(), from, dtype_bytes(self.dtype()));
    return;
  }
  const int64_t size = self.size(dim);
  const int64_t by = shift[dim];
  for (int64_t part = 0; part < (by == 0 ? 1 : 2); ++part) {
    Box from_part = from;
    Box to_part = to;
    from_part.slice(dim, part == 0 ? 0 : size - by, 1, part == 0 ? size - by : by);
    to_part.slice(dim, part == 0 ? by : 0, 1, part == 0 ? size - by : by);
    copy_parts(self, shift, dim + 1, from_part, to_part, out);
  }
}

void roll_flat(const Tensor& self, int64_t shift, Tensor& out) {
  const int64_t count = self.numel();
  const size_t width = dtype_bytes(self.dtype());
  const uint8_t* const from = static_cast<const uint8_t*>(self.raw_data());
  uint8_t* const to = static_cast<uint8_t*>(out.mutable_raw_data());
  int64_t at = shift_in(shift, count);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + static_cast<size_t>(logical_offset(out, at)) * width,
                from + static_cast<size_t>(logical_offset(self, i)) * width, width);
    at = at + 1 == count ? 0 : at + 1;
  }
}

}  // namespace

// out = self with elements moved by shifts[k] along dims[k], those pushed off the end coming in at
// the start; without dims along the flattened tensor.
Status roll(KernelContext&, const Tensor& self, IntSpan shifts, IntSpan dims, Tensor& out) {
  if (out.numel() == 0) {
    return Status::kOk;
  }
  if (dims.empty()) {
    roll_flat(self, shifts[0], out);
    return Status::kOk;
  }
  int64_t shift[kMaxRank] = {};
  for (size_t k = 0; k < dims.size(); ++k) {
    const size_t d = wrapped(dims[k], self.rank());
    shift[d] = shift_in(shift[d] + shift_in(shifts[k], self.size(d)), self.size(d));
  }
  copy_parts(self, shift, 0, Box(self), Box(out), out);
  return Status::kOk;
}

}  // namespace cresset::kernels::portable
