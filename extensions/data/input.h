// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/value.h"
#include "extensions/data/host_value.h"
#include "extensions/data/image.h"

namespace cresset::data {

// What a program's input must be. For a tensor: dtype, sizes (upper bounds where the dimension is
// dynamic) and dim order; the other kinds need no more.
struct InputSpec {
  Value::Kind kind = Value::Kind::kTensor;
  DType dtype = DType::kFloat32;
  std::vector<int32_t> sizes;
  std::vector<uint8_t> dim_order;
};

// An input as the command line names it, made to fit `spec` where the text leaves that open:
//
//   file.npy, file.npz[:key], file.safetensors[:key]   the tensor in the file, as it is; a number
//   of
//                                                      rank 0 serves an input that is a number
//   file.png, file.jpg, ...                            see read_image()
//   file.wav                                           see sound_tensor()
//   3, 0.5, true, nan, -inf                            a number, or a tensor of rank 0 or filled
//                                                      with it where spec is a tensor
//   [[1, 2], [3, 4]]:int16                             a tensor; without a dtype that of spec
//   zeros, random:SEED                                 of spec's shape; random is uniform in [0, 1)
//                                                      for floats, 0..9 for integers, 0 or 1 for
//                                                      bool
//   none                                               an absent optional
Expected<HostValue> parse_input(const std::string& text, const InputSpec& spec,
                                const ImageOptions& image = {});

}  // namespace cresset::data
