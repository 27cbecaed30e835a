// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/fill_box.h"

#include <cstring>

#include "kernels/common/convert.h"
#include "kernels/common/dispatch.h"

namespace cresset::kernels {

Status encode(KernelContext& context, Scalar number, DType dtype, Element* element) {
  const DType real = dtype == DType::kComplex32    ? DType::kFloat16
                     : dtype == DType::kComplex64  ? DType::kFloat32
                     : dtype == DType::kComplex128 ? DType::kFloat64
                                                   : dtype;
  return dispatch<float, double, Half, BFloat16, uint8_t, int8_t, int16_t, int32_t, int64_t, bool,
                  uint16_t, uint32_t, uint64_t>(context, real, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T value =
        number.is_double() ? convert<T>(number.to_double()) : convert<T>(number.to_int());
    std::memcpy(element->bytes, &value, sizeof(T));
    return Status::kOk;
  });
}

void fill_box(void* data, const Box& box, const Element& element, size_t width) {
  Box same = box;
  same.offset = 0;
  for (size_t d = 0; d < same.rank; ++d) {
    same.strides[d] = 0;
  }
  copy_box(data, box, element.bytes, same, width);
}

}  // namespace cresset::kernels
