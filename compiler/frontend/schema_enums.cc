// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/schema_enums.h"

namespace cresset::frontend {

namespace {

struct DTypeNumber {
  int64_t number;
  DType dtype;
};

constexpr DTypeNumber kDTypeNumbers[] = {
    {1, DType::kUInt8},       {2, DType::kInt8},        {3, DType::kInt16},
    {4, DType::kInt32},       {5, DType::kInt64},       {6, DType::kFloat16},
    {7, DType::kFloat32},     {8, DType::kFloat64},     {9, DType::kComplex32},
    {10, DType::kComplex64},  {11, DType::kComplex128}, {12, DType::kBool},
    {13, DType::kBFloat16},   {28, DType::kUInt16},     {29, DType::kFloat8E4M3},
    {30, DType::kFloat8E5M2}, {34, DType::kUInt32},     {35, DType::kUInt64},
};

}  // namespace

DType read_dtype(const Json& json) {
  const int64_t number = json.as_int();
  for (const DTypeNumber& row : kDTypeNumbers) {
    if (row.number == number) {
      return row.dtype;
    }
  }
  json.fail("the dtype number " + std::to_string(number) + " is not supported",
            Status::kNotSupported);
  return DType::kFloat32;
}

void read_strided_layout(const Json& tensor_meta) {
  constexpr int64_t kStrided = 7;
  const Json layout = tensor_meta.optional("layout");
  if (!layout.is_null() && layout.as_int() != kStrided) {
    layout.fail("only strided tensors are supported, not sparse ones", Status::kNotSupported);
  }
}

int64_t read_static_int(const Json& sym_int) { return sym_int.field("as_int").as_int(); }

std::vector<int64_t> read_static_ints(const Json& sym_ints) {
  std::vector<int64_t> ints;
  ints.reserve(sym_ints.size());
  sym_ints.each([&](const Json& item) { ints.push_back(read_static_int(item)); });
  return ints;
}

}  // namespace cresset::frontend
