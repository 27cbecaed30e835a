// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/registry.h"

#include "kernels/portable/kernels.h"

namespace cresset::kernels {

namespace {

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

#define CRESSET_ROW(id, scratch)                  \
  {Text<ops::OpId::id>::kName,                    \
   Text<ops::OpId::id>::kOut,                     \
   ops::Boxed<ops::OpId::id, portable::id>::call, \
   ops::infer_rows::id,                           \
   scratch,                                       \
   ops::Row<ops::OpId::id>::kForm.codes,          \
   ops::Row<ops::OpId::id>::kForm.count,          \
   ops::Row<ops::OpId::id>::kForm.out_count,      \
   Text<ops::OpId::id>::kTraits},

constexpr ops::Kernel kPortable[] = {
#define KERNEL(id) CRESSET_ROW(id, nullptr)
#define KERNEL_SCRATCH(id) CRESSET_ROW(id, portable::id##_scratch)
#ifdef CRESSET_SELECTED_OPS
#include CRESSET_SELECTED_OPS
#else
#include "kernels/portable/kernels.def"
#endif
#undef KERNEL
#undef KERNEL_SCRATCH
};

}  // namespace

ops::KernelTable portable_kernels() { return kPortable; }

}  // namespace cresset::kernels
