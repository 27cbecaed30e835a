// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/emitter/input_records.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace cresset::emitter {

using ir::Dim;
using ir::Register;

namespace {

constexpr uint32_t kNumber = UINT32_MAX;  // in the place of a dimension

// One dimension of a dynamic input, or a dynamic number.
struct Entry {
  uint32_t input;
  uint32_t dim;
  Dim size;
  int64_t bound;
};

// A size that grows with one symbol, from which the symbol can be told.
std::optional<Dim::Linear> growing(const Dim& size) {
  auto linear = size.linear();
  return linear && linear->scale > 0 ? linear : std::nullopt;
}

// Known dimensions too: a program's own fields only bound a dynamic tensor from above.
std::vector<Entry> entries_of(const ir::Schedule& schedule) {
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < schedule.inputs.size(); ++i) {
    const Register& reg = schedule.registers[schedule.inputs[i]];
    if (reg.kind == Register::Kind::kInt && reg.dynamic && !reg.value.is_known()) {
      entries.push_back({i, kNumber, reg.value, INT32_MAX});
    }
    const auto& dims = reg.type.sizes;
    if (std::all_of(dims.begin(), dims.end(), [](const Dim& d) { return d.is_known(); })) {
      continue;
    }
    for (uint32_t d = 0; d < dims.size(); ++d) {
      entries.push_back({i, d, dims[d], reg.sizes[d]});
    }
  }
  return entries;
}

// The smallest value of every symbol that some size tells: none of its sizes is negative there.
std::map<std::string, int64_t> lowest_values(const std::vector<Entry>& entries,
                                             const ir::Ranges& ranges) {
  std::map<std::string, int64_t> lowest;
  for (const Entry& entry : entries) {
    if (const auto linear = growing(entry.size)) {
      const int64_t not_negative = -ir::floor_div(linear->offset, linear->scale).known().value();
      const auto found = ranges.find(linear->symbol);
      const auto [at, fresh] = lowest.emplace(linear->symbol, not_negative);
      at->second = std::max(
          {at->second, not_negative, found == ranges.end() ? not_negative : found->second.min});
    }
  }
  return lowest;
}

// The size in terms of records' steps; nothing where it depends on more than they tell.
std::vector<uint8_t> relation_of(uint32_t record, const Dim& size,
                                 const std::map<std::string, uint32_t>& tellers,
                                 const std::map<std::string, int64_t>& lowest) {
  std::map<std::string, Dim> as_steps;
  for (const auto& [symbol, value] : lowest) {
    as_steps.emplace(symbol, Dim::symbol(symbol) + Dim(value));
  }
  const std::vector<Dim::Term> terms = size.substitute(as_steps).terms();
  std::vector<uint8_t> bytes;
  put_u32(&bytes, record);
  put_u32(&bytes, terms.size());
  for (const Dim::Term& term : terms) {
    const uint64_t coefficient = static_cast<uint64_t>(term.coefficient);
    put_u32(&bytes, coefficient & UINT32_MAX);
    put_u32(&bytes, coefficient >> 32);
    put_u32(&bytes, term.factors.size());
    for (const ir::Atom& factor : term.factors) {
      const auto teller = tellers.find(factor.text);
      if (factor.kind != ir::Atom::Kind::kSymbol || teller == tellers.end()) {
        return {};
      }
      put_u32(&bytes, teller->second);
    }
  }
  return bytes;
}

}  // namespace

void put_u32(std::vector<uint8_t>* out, uint64_t value) {
  const uint32_t word = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
  for (int i = 0; i < 4; ++i) {
    out->push_back(static_cast<uint8_t>(word >> (8 * i)));
  }
}

InputRecords describe_inputs(const ir::Schedule& schedule) {
  InputRecords records;
  const std::vector<Entry> entries = entries_of(schedule);
  const std::map<std::string, int64_t> lowest = lowest_values(entries, schedule.size_ranges);
  std::map<std::string, uint32_t> symbols;
  std::map<std::string, uint32_t> tellers;
  for (uint32_t record = 0; record < entries.size(); ++record) {
    const Entry& entry = entries[record];
    const auto linear = growing(entry.size);
    const std::string symbol = linear ? linear->symbol : entry.size.text();
    const auto found = schedule.size_ranges.find(entry.size.text());
    ir::Range range{0, entry.bound};
    if (entry.size.is_known()) {
      range.min = entry.bound;
    } else if (found != schedule.size_ranges.end()) {
      range = found->second;
    }
    if (linear) {
      range.min = linear->scale * lowest.at(symbol) + linear->offset;
      tellers.emplace(symbol, record);
    }
    put_u32(&records.ranges, entry.input);
    put_u32(&records.ranges, entry.dim);
    put_u32(&records.ranges, static_cast<uint64_t>(std::max<int64_t>(range.min, 0)));
    put_u32(&records.ranges, static_cast<uint64_t>(std::max<int64_t>(range.max, 0)));
    put_u32(&records.ranges, static_cast<uint64_t>(linear ? linear->scale : 1));
    put_u32(&records.ranges, symbols.emplace(symbol, symbols.size()).first->second);
  }
  for (uint32_t record = 0; record < entries.size(); ++record) {
    const Dim& size = entries[record].size;
    if (!size.is_known() && !growing(size)) {
      const std::vector<uint8_t> relation = relation_of(record, size, tellers, lowest);
      records.relations.insert(records.relations.end(), relation.begin(), relation.end());
    }
  }
  return records;
}

}  // namespace cresset::emitter
