// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_elements.h"

namespace cresset::kernels {

void load_differences(const Differences& data, int64_t step, int64_t count, int16_t* to) {
  if (step == 1) {
    for (int64_t i = 0; i < count; ++i) {
      to[i] = data[i];
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      to[i] = data[i * step];
    }
  }
}

void IntegerOut::store_run(int64_t step, int64_t count, const int32_t* values) const {
  if (bytes == 1 && step == 1) {
    for (int64_t i = 0; i < count; ++i) {
      data[i] = static_cast<uint8_t>(values[i]);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    store(i * step, values[i]);
  }
}

}  // namespace cresset::kernels
