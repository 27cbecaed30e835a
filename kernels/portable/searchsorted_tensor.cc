// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "kernels/common/convert.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/kernel.h"
#include "kernels/common/loop_nest.h"
#include "ops/promotion.h"

namespace cresset::kernels::portable {

namespace {

// The element at `from` in the type C, rounded to `common` on the way.
template <class C>
C element(DType common, DType dtype, const uint8_t* from) {
  C value;
  load_run(kDTypeOf<C>, &value, dtype, from, 0, 1);
  if (dtype != common && dtype_bytes(common) == sizeof(uint16_t) && is_floating(common)) {
    uint16_t rounded;
    store_run(common, &rounded, kDTypeOf<C>, &value, 1);
    load_run(kDTypeOf<C>, &value, common, &rounded, 0, 1);
  }
  return value;
}

Status check_sorter(KernelContext& context, const Tensor& sorter, int64_t size) {
  Status status = Status::kOk;
  LoopNest<1> nest;
  for (size_t d = 0; d < sorter.rank(); ++d) {
    nest.push(sorter.size(d), {static_cast<ptrdiff_t>(sorter.stride(d)) * 8});
  }
  const uint8_t* const data = static_cast<const uint8_t*>(sorter.raw_data());
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    const uint8_t* at = data + offsets[0];
    for (int64_t i = 0; i < nest.inner_size(); ++i, at += nest.inner_stride(0)) {
      const int64_t index = *reinterpret_cast<const int64_t*>(at);
      if ((index < 0 || index >= size) && status == Status::kOk) {
        status = context.fail(Status::kInvalidArgument, "sorter has index {}, expected 0 to {}",
                              index, size - 1);
      }
    }
  });
  return status;
}

}  // namespace

// out = how many elements of the sorted sequence come before each element of self: those less than
// it, or not greater with `right` or side "right". The sequence is 1-d, or self's row has its own;
// `sorter` holds the order of an unsorted one. Compared in the common dtype; a NaN among the
// sequence counts as less, one of self as greater, than anything.
Status searchsorted_tensor(KernelContext& context, const Tensor& sorted_sequence,
                           const Tensor& self, bool, bool right, const char* side,
                           const Tensor* sorter, Tensor& out) {
  const size_t last = sorted_sequence.rank() - 1;
  const int64_t size = sorted_sequence.size(last);
  if (sorter != nullptr) {
    CRESSET_TRY(check_sorter(context, *sorter, size));
  }
  const DType common = ops::ResultType().add(sorted_sequence).add(self).get();
  if (common == DType::kBool) {
    return context.fail(Status::kInvalidType, "{} is not supported", common);
  }
  const bool to_right = right || (side != nullptr && std::strcmp(side, "right") == 0);
  const auto bytes = [](const Tensor& tensor, size_t d) {
    return static_cast<ptrdiff_t>(tensor.stride(d)) *
           static_cast<ptrdiff_t>(dtype_bytes(tensor.dtype()));
  };
  LoopNest<4> nest;  // self, out, the start of the sequence and of its sorter
  for (size_t d = 0; d < self.rank(); ++d) {
    const bool own = d < last;
    nest.push(self.size(d), {bytes(self, d), bytes(out, d), own ? bytes(sorted_sequence, d) : 0,
                             own && sorter != nullptr ? bytes(*sorter, d) : 0});
  }
  const ptrdiff_t step = bytes(sorted_sequence, last);
  const ptrdiff_t sorter_step = sorter == nullptr ? 0 : bytes(*sorter, last);
  const uint8_t* const values = static_cast<const uint8_t*>(self.raw_data());
  uint8_t* const places = static_cast<uint8_t*>(out.mutable_raw_data());
  const uint8_t* const sequence = static_cast<const uint8_t*>(sorted_sequence.raw_data());
  const uint8_t* const order =
      sorter == nullptr ? nullptr : static_cast<const uint8_t*>(sorter->raw_data());
  return dispatch_compute(context, common, [&](auto tag) {
    using C = typename decltype(tag)::Type;
    nest.for_each_run([&](const ptrdiff_t* offsets) {
      for (int64_t i = 0; i < nest.inner_size(); ++i) {
        const ptrdiff_t at = static_cast<ptrdiff_t>(i);
        const C value =
            element<C>(common, self.dtype(), values + offsets[0] + at * nest.inner_stride(0));
        const ptrdiff_t row = offsets[2] + at * nest.inner_stride(2);
        int64_t low = 0, high = size;
        while (low < high) {
          const int64_t middle = low + (high - low) / 2;
          int64_t index = middle;
          if (order != nullptr) {
            index =
                *reinterpret_cast<const int64_t*>(order + offsets[3] + at * nest.inner_stride(3) +
                                                  static_cast<ptrdiff_t>(middle) * sorter_step);
          }
          const C bound = element<C>(common, sorted_sequence.dtype(),
                                     sequence + row + static_cast<ptrdiff_t>(index) * step);
          if (to_right ? !(bound > value) : !(bound >= value)) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        uint8_t* const place = places + offsets[1] + at * nest.inner_stride(1);
        store_run(out.dtype(), place, DType::kInt64, &low, 1);
      }
    });
    return Status::kOk;
  });
}

}  // namespace cresset::kernels::portable
