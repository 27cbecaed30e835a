// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "core/message.h"
#include "core/value.h"
#include "ops/infer.h"
#include "ops/op_id.h"

namespace cresset::tests {

struct InferredTensor {
  DType dtype = DType::kFloat32;
  std::vector<int32_t> sizes;
};

// What a rule says about one call: outs[o] are output o's tensors (one, or a list's); an output
// that the rule left alone has none.
struct Inferred {
  std::vector<std::vector<InferredTensor>> outs;
};

// Applies the row's rule to `args`: the kernel's arguments without outputs, numbers allowed in
// tensors' places. `option` is the tensor option dtype of the call, `list_sizes` how many tensors
// each output's list has.
Status record_infer(ops::OpId id, const std::vector<Value*>& args, std::optional<DType> option,
                    const std::vector<size_t>& list_sizes, Inferred* inferred, Message* message);

}  // namespace cresset::tests
