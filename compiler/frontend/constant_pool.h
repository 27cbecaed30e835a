// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/frontend/stored_tensor.h"
#include "compiler/ir/graph.h"

namespace cresset::frontend {

// Makes constants of the IR out of stored tensors. The same view of the same storage gives the same
// constant, under the name that came first. Dense tensors (row-major, or channels last) stay where
// they lie, mostly in the mapped file; others are copied into row-major order.
class ConstantPool {
 public:
  // All copies together may take as many bytes as this before a file is taken for a hostile one.
  explicit ConstantPool(uint64_t max_copied_bytes) : left_bytes_(max_copied_bytes) {}

  // Errors: kOutOfResources.
  ir::Expected<ir::ConstantPtr> add(const StoredTensor& tensor, const std::string& name);

 private:
  using Key =
      std::tuple<const SharedBytes*, DType, int64_t, std::vector<int64_t>, std::vector<int64_t>>;
  uint64_t left_bytes_;
  std::map<Key, ir::ConstantPtr> constants_;
  // Keeps the keys' storages from being reused.
  std::vector<Storage> storages_;
};

}  // namespace cresset::frontend
