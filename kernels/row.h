// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ops/infer_rows.h"
#include "ops/kernel_fn.h"
#include "ops/kernel_table.h"

// From a row's id and a library's function to an entry of the library's table.
namespace cresset::kernels {

// The texts and traits of a row, reachable by id.
template <ops::OpId>
struct Text;
#define OP(id, name, overload, out, schema, traits, inference, doc) \
  template <>                                                       \
  struct Text<ops::OpId::id> {                                      \
    static constexpr const char* kName = name;                      \
    static constexpr const char* kOut = out;                        \
    static constexpr uint16_t kTraits = [] {                        \
      using namespace ops;                                          \
      return static_cast<uint16_t>(traits);                         \
    }();                                                            \
  };
#include "ops/op_table.def"
#undef OP

#define CRESSET_ROW(library, id, scratch)        \
  {Text<ops::OpId::id>::kName,                   \
   Text<ops::OpId::id>::kOut,                    \
   ops::Boxed<ops::OpId::id, library::id>::call, \
   ops::infer_rows::id,                          \
   scratch,                                      \
   ops::Row<ops::OpId::id>::kForm.codes,         \
   ops::Row<ops::OpId::id>::kForm.count,         \
   ops::Row<ops::OpId::id>::kForm.out_count,     \
   Text<ops::OpId::id>::kTraits},

}  // namespace cresset::kernels
