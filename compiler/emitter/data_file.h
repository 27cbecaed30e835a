// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/ir/graph.h"

namespace cresset::emitter {

// Constants that go to a data file (.ptd, schema/FORMAT.md) under their fully qualified names.
// Constants must live until write().
class DataFile {
 public:
  // The key under which the file holds the constant in this shape: its name, with a number behind
  // it where another constant, or the same one in another shape, has that name already.
  std::string add(const ir::ConstantPtr& constant, const std::vector<int32_t>& sizes);
  // Bytes that only a delegate understands, under the constant's name, which must be new or mean
  // the same bytes.
  void add_opaque(const ir::ConstantPtr& constant);
  uint64_t size_bytes() const { return size_bytes_; }
  std::vector<uint8_t> write() const;

 private:
  struct Datum {
    ir::ConstantPtr constant;
    std::vector<int32_t> sizes;
    bool opaque = false;  // no tensor
  };

  std::map<std::string, Datum> data_;
  uint64_t size_bytes_ = 0;
};

}  // namespace cresset::emitter
