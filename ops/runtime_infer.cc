// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/runtime_infer.h"

#include <cstring>

#include "ops/infer_rows.h"
#include "ops/infer_rules.h"

namespace cresset::ops {

size_t RuntimeInfer::list_size(size_t i) const {
  const Value& value = *args_[i];
  switch (value.kind()) {
    case Value::Kind::kIntList:
      return value.int_list()->size;
    case Value::Kind::kTensorList:
      return value.as_tensors().size();
    case Value::Kind::kDoubleList:
      return value.as_doubles().size();
    case Value::Kind::kBoolList:
      return value.as_bools().size();
    default:
      return 0;
  }
}

bool RuntimeInfer::is_text(size_t i, const char* text) const {
  return has(i) && std::strcmp(args_[i]->as_string(), text) == 0;
}

DType RuntimeInfer::option_dtype(DType otherwise) const {
  const Value& out = *args_[first_out_];
  return out.is_tensor() ? out.as_tensor()->dtype() : otherwise;
}

Status RuntimeInfer::give(Tensor* out, const Dims<Dim>& dims, DType dtype) {
  int32_t sizes[kMaxRank];
  for (size_t i = 0; i < dims.rank; ++i) {
    if (dims[i] < 0 || dims[i] > INT32_MAX) {
      return fail("size {} of output dimension {} is out of range", dims[i], i);
    }
    sizes[i] = static_cast<int32_t>(dims[i]);
  }
  const Span<const int32_t> wanted(sizes, dims.rank);
  if (out->dtype() != dtype) {
    return fail("the output is {}, the operator gives {}", out->dtype(), dtype);
  }
  if (!ok(out->resize(wanted))) {
    return fail("the output of shape {} cannot take {} ({} bytes planned)", out->sizes(), wanted,
                out->capacity_bytes());
  }
  return Status::kOk;
}

Status RuntimeInfer::set(size_t o, const Dims<Dim>& dims, DType dtype) {
  return give(args_[first_out_ + o]->as_tensor(), dims, dtype);
}

Status RuntimeInfer::set_item(size_t o, size_t k, const Dims<Dim>& dims, DType dtype) {
  const Span<Tensor* const> items = args_[first_out_ + o]->as_tensors();
  if (k >= items.size()) {
    return fail("output list {} has {} tensors, the operator gives more", o, items.size());
  }
  return give(items[k], dims, dtype);
}

namespace infer_rows {
#define OP(id, name, overload, out, schema, traits, inference, doc) \
  Status id(RuntimeInfer& c) { return infer::inference(c); }
#include "ops/op_table.def"
#undef OP
}  // namespace infer_rows

}  // namespace cresset::ops
