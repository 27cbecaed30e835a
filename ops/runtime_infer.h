// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/message.h"
#include "core/value.h"
#include "ops/infer.h"

namespace cresset::ops {

// Shows an instruction's values to the inference rules and gives the outputs their sizes: resizes
// dynamic outputs within their capacity, checks static ones. An output whose dtype is not the
// inferred one is an error.
class RuntimeInfer {
 public:
  using Dim = int64_t;

  // `args` in kernel-form order; the last `out_count` are outputs. Kinds must have been checked.
  RuntimeInfer(Value* const* args, size_t arg_count, size_t out_count, Message* message)
      : args_(args), first_out_(arg_count - out_count), message_(message) {}

  static Optional<int64_t> known(Dim dim) { return dim; }

  bool has(size_t i) const { return !args_[i]->is_none(); }
  bool is_tensor(size_t i) const { return args_[i]->is_tensor(); }
  DType dtype(size_t i) const { return args_[i]->as_tensor()->dtype(); }
  size_t rank(size_t i) const { return args_[i]->as_tensor()->rank(); }
  Dim size(size_t i, size_t d) const { return args_[i]->as_tensor()->size(d); }

  size_t list_size(size_t i) const;
  bool item_has(size_t i, size_t k) const { return item(i, k) != nullptr; }
  DType item_dtype(size_t i, size_t k) const { return item(i, k)->dtype(); }
  size_t item_rank(size_t i, size_t k) const { return item(i, k)->rank(); }
  Dim item_size(size_t i, size_t k, size_t d) const { return item(i, k)->size(d); }

  Scalar scalar(size_t i) const { return args_[i]->as_scalar(); }
  int64_t integer(size_t i) const { return args_[i]->as_scalar().to_int(); }
  bool boolean(size_t i) const { return args_[i]->as_scalar().to_bool(); }
  bool is_text(size_t i, const char* text) const;
  int64_t int_item(size_t i, size_t k) const { return args_[i]->as_ints()[k]; }
  double double_item(size_t i, size_t k) const { return args_[i]->as_doubles()[k]; }
  Dim dim(size_t i) const { return integer(i); }
  Dim dim_item(size_t i, size_t k) const { return int_item(i, k); }
  Optional<DType> dtype_arg(size_t i) const {
    return has(i) ? Optional<DType>(static_cast<DType>(args_[i]->as_int())) : Optional<DType>();
  }
  DType option_dtype(DType otherwise) const;

  size_t out_list_size(size_t o) const { return args_[first_out_ + o]->as_tensors().size(); }
  Status set(size_t o, const Dims<Dim>& dims, DType dtype);
  Status set_item(size_t o, size_t k, const Dims<Dim>& dims, DType dtype);

  template <class... A>
  Status fail(const char* format, const A&... args) {
    return message_->fail(Status::kInvalidArgument, format, args...);
  }

 private:
  const Tensor* item(size_t i, size_t k) const { return args_[i]->as_tensors()[k]; }
  Status give(Tensor* out, const Dims<Dim>& dims, DType dtype);

  Value* const* args_;
  size_t first_out_;
  Message* message_;
};

using InferFn = Status (*)(RuntimeInfer&);

}  // namespace cresset::ops
