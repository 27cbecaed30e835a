// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "runtime/program.h"

namespace cresset {

struct FreeBlock {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};
using Block = std::unique_ptr<uint8_t[], FreeBlock>;

// At least `bytes` bytes at a multiple of 64; null where there is no memory.
Block allocate_block(size_t bytes);

// The planned buffers that methods of a program have in common (schema/FORMAT.md): those which hold
// named state and nothing else, and whose methods agree where each name lies.
class SharedState {
 public:
  explicit SharedState(const Program& program);

  bool is_shared(const std::string& method, size_t buffer) const {
    return shared_.count({method, buffer}) != 0;
  }
  // Whether some method has asked for the buffer before.
  bool in_use(size_t buffer) const { return blocks_.count(buffer) != 0; }
  // The buffer's memory; null where there is none.
  uint8_t* buffer(size_t buffer);

 private:
  std::set<std::pair<std::string, size_t>> shared_;
  std::map<size_t, size_t> bytes_;
  std::map<size_t, Block> blocks_;
};

}  // namespace cresset
