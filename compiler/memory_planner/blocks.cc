// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/memory_planner/blocks.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace cresset::memory_planner {
namespace {

// A sum of sizes that may pass 2^64 on its way and still be taken apart again.
class LiveBytes {
 public:
  void add(uint64_t size) {
    low_ += size;
    high_ += low_ < size ? 1 : 0;
  }
  void remove(uint64_t size) {
    high_ -= low_ < size ? 1 : 0;
    low_ -= size;
  }
  uint64_t value() const { return high_ != 0 ? kTooLarge : low_; }

 private:
  uint64_t low_ = 0;
  uint64_t high_ = 0;
};

std::vector<uint32_t> sorted_by(std::span<const Block> blocks, uint32_t Block::*key) {
  std::vector<uint32_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return blocks[a].*key < blocks[b].*key; });
  return order;
}

// Calls enter(i) and leave(i) in the order of time, and moment(step) after all entries of a step:
// live bytes only peak at steps in which a block begins.
template <class Enter, class Leave, class Moment>
void sweep(std::span<const Block> blocks, Enter enter, Leave leave, Moment moment) {
  const std::vector<uint32_t> starts = sorted_by(blocks, &Block::first_use);
  const std::vector<uint32_t> ends = sorted_by(blocks, &Block::last_use);
  size_t left = 0;
  for (size_t i = 0; i < starts.size();) {
    const uint32_t step = blocks[starts[i]].first_use;
    for (; blocks[ends[left]].last_use < step; ++left) {
      leave(ends[left]);
    }
    for (; i < starts.size() && blocks[starts[i]].first_use == step; ++i) {
      enter(starts[i]);
    }
    moment(step);
  }
}

}  // namespace

Neighbours::Neighbours(std::span<const Block> blocks) {
  const size_t max_pairs = 64 * blocks.size() + 32768;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<uint32_t> alive;
  for (const uint32_t i : sorted_by(blocks, &Block::first_use)) {
    std::erase_if(alive, [&](uint32_t j) { return blocks[j].last_use < blocks[i].first_use; });
    if (pairs.size() + alive.size() > max_pairs) {
      sparse_ = false;
      return;
    }
    for (const uint32_t j : alive) {
      pairs.emplace_back(i, j);
    }
    alive.push_back(i);
  }

  begins_.assign(blocks.size() + 1, 0);
  for (const auto& [i, j] : pairs) {
    ++begins_[i + 1];
    ++begins_[j + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  lists_.resize(2 * pairs.size());
  std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
  for (const auto& [i, j] : pairs) {
    lists_[next[i]++] = j;
    lists_[next[j]++] = i;
  }
}

std::vector<uint64_t> busiest_moments(std::span<const Block> blocks) {
  std::vector<uint32_t> steps;
  std::vector<std::vector<uint64_t>> peaks(1);  // peaks[k][i]: over moments i to i + 2^k - 1
  LiveBytes live;
  sweep(
      blocks, [&](uint32_t i) { live.add(blocks[i].size_bytes); },
      [&](uint32_t i) { live.remove(blocks[i].size_bytes); },
      [&](uint32_t step) {
        steps.push_back(step);
        peaks[0].push_back(live.value());
      });
  for (size_t width = 2; width <= steps.size(); width *= 2) {
    const std::vector<uint64_t>& narrow = peaks.back();
    std::vector<uint64_t> wide(steps.size() - width + 1);
    for (size_t i = 0; i < wide.size(); ++i) {
      wide[i] = std::max(narrow[i], narrow[i + width / 2]);
    }
    peaks.push_back(std::move(wide));
  }

  std::vector<uint64_t> result(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto from = std::lower_bound(steps.begin(), steps.end(), blocks[i].first_use);
    const auto to = std::upper_bound(from, steps.end(), blocks[i].last_use);
    const size_t begin = static_cast<size_t>(from - steps.begin());
    const size_t end = static_cast<size_t>(to - steps.begin());
    const size_t level = static_cast<size_t>(std::bit_width(end - begin)) - 1;
    result[i] = std::max(peaks[level][begin], peaks[level][end - (size_t{1} << level)]);
  }
  return result;
}

uint64_t lower_bound(std::span<const Block> blocks) {
  uint64_t least_alignment = uint64_t{1} << 63;
  for (const Block& block : blocks) {
    least_alignment = std::min(least_alignment, block.alignment);
  }
  const auto padded = [&](uint32_t i) { return align_up(blocks[i].size_bytes, least_alignment); };
  const auto padding = [&](uint32_t i) { return padded(i) - blocks[i].size_bytes; };

  uint64_t bound = 0;
  LiveBytes live;
  std::multiset<uint64_t> paddings;
  sweep(
      blocks,
      [&](uint32_t i) {
        live.add(padded(i));
        paddings.insert(padding(i));
      },
      [&](uint32_t i) {
        live.remove(padded(i));
        paddings.erase(paddings.find(padding(i)));
      },
      [&](uint32_t) {
        const uint64_t bytes = live.value();
        bound = std::max(bound, bytes == kTooLarge ? kTooLarge : bytes - *paddings.rbegin());
      });
  return bound;
}

}  // namespace cresset::memory_planner
