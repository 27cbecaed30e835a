// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/shared_state.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace cresset {
namespace {

constexpr size_t kBlockAlignment = 64;

struct Place {
  uint64_t offset;
  uint64_t bytes;
  bool operator==(const Place& other) const {
    return offset == other.offset && bytes == other.bytes;
  }
};
using Places = std::map<std::string, Place>;

// Where the buffer's named tensors lie; empty where it holds anything else.
Places named_state(const MethodMeta& meta, size_t buffer) {
  Places places;
  for (size_t i = 0; i < meta.value_count(); ++i) {
    if (meta.value_kind(i) != Value::Kind::kTensor) {
      continue;
    }
    const TensorInfo info = meta.value_tensor(i);
    if (!info.planned || info.buffer != buffer) {
      continue;
    }
    if (info.name[0] == '\0' || std::strncmp(info.name, "cresset.", 8) == 0) {
      return {};
    }
    places[info.name] = {info.offset, info.nbytes};
  }
  return places;
}

bool agree(const Places& a, const Places& b) {
  for (const auto& [name, place] : a) {
    for (const auto& [other_name, other] : b) {
      const bool overlap =
          place.offset < other.offset + other.bytes && other.offset < place.offset + place.bytes;
      if (name == other_name ? !(place == other) : overlap) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Block allocate_block(size_t bytes) {
  const size_t rounded = (bytes / kBlockAlignment + 1) * kBlockAlignment;
  return Block(rounded < bytes
                   ? nullptr
                   : static_cast<uint8_t*>(std::aligned_alloc(kBlockAlignment, rounded)));
}

SharedState::SharedState(const Program& program) {
  size_t buffers = 0;
  for (size_t m = 0; m < program.method_count(); ++m) {
    buffers = std::max(buffers, program.method_meta(m).planned_buffer_count());
  }
  for (size_t buffer = 0; buffer < buffers && program.method_count() > 1; ++buffer) {
    std::vector<std::pair<std::string, Places>> candidates;
    bool all_agree = true;
    for (size_t m = 0; m < program.method_count(); ++m) {
      const MethodMeta meta = program.method_meta(m);
      Places places = buffer < meta.planned_buffer_count() ? named_state(meta, buffer) : Places();
      if (places.empty()) {
        continue;
      }
      for (const auto& [name, others] : candidates) {
        all_agree = all_agree && agree(places, others);
      }
      bytes_[buffer] = std::max(bytes_[buffer], meta.planned_buffer_bytes(buffer));
      candidates.emplace_back(meta.name(), std::move(places));
    }
    for (const auto& [name, places] : candidates) {
      if (all_agree && candidates.size() > 1) {
        shared_.insert({name, buffer});
      }
    }
  }
}

uint8_t* SharedState::buffer(size_t buffer) {
  Block& block = blocks_[buffer];
  if (block == nullptr) {
    // Zero, for methods after the first leave it as it is; calloc's alignment is enough for a
    // method.
    block = Block(static_cast<uint8_t*>(std::calloc(std::max<size_t>(bytes_[buffer], 1), 1)));
  }
  return block.get();
}

}  // namespace cresset
