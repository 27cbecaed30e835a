// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

// What the compiler half writes and the runtime half reads: a Header, its values, its nodes in the
// order of execution; nothing else. Little-endian, every field 32 bits wide, so that the runtime
// reads the structs where they lie.
namespace cresset::backends::example {

inline constexpr uint32_t kMagic = 0x504d5845;  // "EXMP"
// Counts up with every change of this file; the runtime refuses others.
inline constexpr uint32_t kVersion = 1;
inline constexpr size_t kRank = 4;
inline constexpr size_t kKeyBytes = 48;
inline constexpr uint32_t kNone = UINT32_MAX;  // no value: an absent bias

struct Header {
  uint32_t magic;
  uint32_t version;
  uint32_t input_count;
  uint32_t output_count;
  uint32_t value_count;
  uint32_t node_count;
  uint32_t workspace_bytes;  // for values that neither come in nor go out
  uint32_t reserved;         // 0
};

enum class Place : uint32_t {
  kArgument,   // `at`: position among the call's arguments, inputs before outputs
  kConstant,   // a named datum, `key`
  kWorkspace,  // `at`: byte offset, a multiple of 16
};

// A tensor of f32, row-major.
struct ValueRecord {
  Place place;
  uint32_t at;
  uint32_t rank;
  int32_t sizes[kRank];  // upper bounds
  char key[kKeyBytes];   // zero-terminated
};

enum class Op : uint32_t {
  kAdd,     // in[0] + numbers[0] * in[1], with broadcasting
  kMul,     // in[0] * in[1], with broadcasting
  kClamp,   // in[0] within [numbers[0], numbers[1]]
  kLinear,  // in[0] @ in[1].T + in[2]
  kConv2d,  // of in[0] with weights in[1] and bias in[2]
};

struct NodeRecord {
  Op op;
  uint32_t in[3];  // values
  uint32_t out;
  uint32_t debug_handle;
  float numbers[2];
  int32_t stride[2];   // of kConv2d, like the rest
  int32_t padding[2];  // zeros on each side
  int32_t groups;
};

static_assert(sizeof(Header) == 32 && sizeof(ValueRecord) == 76 && sizeof(NodeRecord) == 52,
              "both halves must agree on the layout");

}  // namespace cresset::backends::example
