// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/op.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "ops/op_id.h"

namespace cresset::ops {

namespace {

std::vector<OpInfo> build_table() {
  std::vector<OpInfo> table;
  table.reserve(static_cast<size_t>(Op::kCount));
#define OP(id, name, overload, out, schema, traits, inference, doc) \
  table.push_back({Op::id, #id, name, overload, out, traits, false, doc, parse_schema(schema)});
#include "ops/op_table.def"
#undef OP
#define COMPOSITE(id, name, overload, schema) \
  table.push_back({Op::id, #id, name, overload, "", kNoTraits, true, "", parse_schema(schema)});
#include "ops/composite_table.def"
#undef COMPOSITE
  return table;
}

std::string key(std::string_view name, std::string_view overload) {
  return std::string(name) + "." + std::string(overload);
}

using Index = std::unordered_map<std::string, const OpInfo*>;

}  // namespace

Span<const OpInfo> all_ops() {
  static const std::vector<OpInfo> table = build_table();
  return table;
}

bool is_row(Op op) { return static_cast<uint16_t>(op) < static_cast<uint16_t>(OpId::kCount); }

bool is_foreign(Op op) { return op == Op::kCount; }

const OpInfo& op_info(Op op) { return all_ops()[static_cast<size_t>(op)]; }

const OpInfo* find_op(std::string_view name, std::string_view overload) {
  static const Index index = [] {
    Index result;
    for (const OpInfo& info : all_ops()) {
      result.emplace(key(info.name, info.overload), &info);
    }
    return result;
  }();
  const auto found = index.find(key(name, overload == "default" ? "" : overload));
  return found == index.end() ? nullptr : found->second;
}

const OpInfo* find_op_id(std::string_view id) {
  static const Index index = [] {
    Index result;
    for (const OpInfo& info : all_ops()) {
      result.emplace(std::string(info.id), &info);
    }
    return result;
  }();
  const auto found = index.find(std::string(id));
  return found == index.end() ? nullptr : found->second;
}

const OpInfo* find_out_op(std::string_view name, std::string_view out) {
  static const Index index = [] {
    Index result;
    for (const OpInfo& info : all_ops()) {
      if (!info.composite) {
        result.emplace(key(info.name, info.out), &info);
      }
    }
    return result;
  }();
  const auto found = index.find(key(name, out));
  return found == index.end() ? nullptr : found->second;
}

}  // namespace cresset::ops
