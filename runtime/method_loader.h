// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "runtime/flat_program.h"
#include "runtime/method.h"

namespace cresset {

// Makes a Method's tables from its plan. Not for other rooms.
class MethodLoader {
 public:
  MethodLoader(Method& method, const fb::ExecutionPlan& plan, Message& message)
      : method_(method), plan_(plan), message_(message) {}

  // All of loading but the initial state.
  Status run();
  // Gives planned tensors their initial contents, except in the buffers whose bit of `keep` is set.
  static Status initialise_state(const Method& method, uint64_t keep, Message& message);

 private:
  // method_loader.cc: memory and values
  Status check_memory();
  Status check_arena();
  void allocate_tables();
  Status make_values();
  Status make_tensor(const fb::Tensor& flat, Tensor* tensor);
  Status find_data(const fb::Tensor& flat, const TensorInfo& info, uint8_t** data);
  void align_constant(const TensorInfo& info, const uint8_t** data);
  Status find_external(const fb::Tensor& flat, const TensorInfo& info, Span<const uint8_t>* data);
  void fill_lists();
  void find_side_data();

  // method_binder.cc: instructions
  Status resolve_operators();
  Status make_delegates();
  void make_steps();
  void mark_varying(const Step& step);
  Status check_steps();
  Status check_kernel_step(uint32_t at, Step& step);
  Status check_move_step(uint32_t at, const Step& step);
  Status plan_scratch();
  Status follow_views();
  bool is_constant(size_t index) const;
  Value* value(int64_t index) const { return &method_.tables_.values[static_cast<size_t>(index)]; }
  bool varies(const Value* value) const;
  bool lacks_data(const Value* value) const;

  template <class... A>
  Status fail(Status status, const char* format, const A&... args) {
    message_.clear();
    message_.append("method {}: ", text_of(plan_.name()));
    message_.append(format, args...);
    return status;
  }

  Method& method_;
  const fb::ExecutionPlan& plan_;
  Message& message_;

  // Tables that only values point to.
  Tensor* tensors_ = nullptr;
  IntList* int_lists_ = nullptr;
  int64_t* ints_ = nullptr;
  Value** int_items_ = nullptr;
  Tensor** tensor_items_ = nullptr;
  int32_t* strides_ = nullptr;
  int32_t* sizes_ = nullptr;
  Step* steps_ = nullptr;
  Value** args_ = nullptr;
  char* name_bytes_ = nullptr;
};

}  // namespace cresset
