// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/emitter/data_pool.h"

#include <cstring>

namespace cresset::emitter {

namespace {

// Only a filter before the bytes themselves are compared: samples suffice.
uint64_t sample_hash(Span<const uint8_t> bytes) {
  uint64_t hash = 1469598103934665603ull ^ bytes.size();
  const size_t step = bytes.size() / 256 + 1;
  for (size_t i = 0; i < bytes.size(); i += step) {
    hash = (hash ^ bytes[i]) * 1099511628211ull;
  }
  return hash;
}

}  // namespace

uint32_t DataPool::add(Span<const uint8_t> bytes) {
  const uint64_t hash = sample_hash(bytes);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Span<const uint8_t> known = blocks_[it->second - 1];
    if (known.size() == bytes.size() &&
        (known.data() == bytes.data() || bytes.empty() ||
         std::memcmp(known.data(), bytes.data(), bytes.size()) == 0)) {
      return it->second;
    }
  }
  size_bytes_ = (size_bytes_ + alignment_ - 1) / alignment_ * alignment_;
  offsets_.push_back(size_bytes_);
  blocks_.push_back(bytes);
  size_bytes_ += bytes.size();
  const uint32_t number = static_cast<uint32_t>(blocks_.size());
  by_hash_.emplace(hash, number);
  return number;
}

void DataPool::write(std::vector<uint8_t>* out) const {
  const size_t base = out->size();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    out->resize(base + offsets_[i + 1]);
    out->insert(out->end(), blocks_[i].begin(), blocks_[i].end());
  }
}

}  // namespace cresset::emitter
