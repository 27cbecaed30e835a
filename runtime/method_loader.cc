// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/method_loader.h"

#include <cstring>

#include "runtime/table_counts.h"

namespace cresset {
namespace {

constexpr char kDebugHandles[] = "cresset.debug_handles.";
constexpr char kInputRanges[] = "cresset.input_ranges.";
constexpr char kInputRelations[] = "cresset.input_relations.";
constexpr char kScratch[] = "cresset.scratch";

// The datum `prefix` + `method` of the program; empty where there is none.
Span<const uint8_t> find_named(const Program& program, const char* prefix, const char* method) {
  const size_t length = std::strlen(prefix);
  for (size_t i = 0; i < program.count(); ++i) {
    const char* key = program.key(i);
    if (std::strncmp(key, prefix, length) == 0 && std::strcmp(key + length, method) == 0) {
      const Result<NamedDatum> datum = program.find(key);
      return datum.ok() ? datum->data : Span<const uint8_t>();
    }
  }
  return {};
}

}  // namespace

Status MethodLoader::run() {
  CRESSET_TRY(check_memory());
  allocate_tables();
  CRESSET_TRY(check_arena());
  CRESSET_TRY(make_values());
  CRESSET_TRY(check_arena());
  fill_lists();
  find_side_data();
  CRESSET_TRY(resolve_operators());
  make_steps();
  CRESSET_TRY(check_steps());
  CRESSET_TRY(plan_scratch());
  return make_delegates();
}

Status MethodLoader::check_arena() {
  const Arena& arena = method_.arena_;
  return arena.used() <= arena.capacity()
             ? Status::kOk
             : fail(Status::kMemoryAllocationFailed, "the method arena needs {} bytes, given {}",
                    arena.used(), arena.capacity());
}

Status MethodLoader::check_memory() {
  const MethodMeta meta(&plan_);
  const Span<const Span<uint8_t>> planned = method_.memory_.planned;
  if (planned.size() < meta.planned_buffer_count()) {
    return fail(Status::kMemoryAllocationFailed, "needs {} planned buffers, given {}",
                meta.planned_buffer_count(), planned.size());
  }
  const auto aligned = [](Span<uint8_t> memory) {
    return reinterpret_cast<uintptr_t>(memory.data()) % DataLoader::kDataAlignment == 0;
  };
  for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
    const size_t needed = meta.planned_buffer_bytes(i);
    if (planned[i].size() < needed) {
      return fail(Status::kMemoryAllocationFailed, "planned buffer {} needs {} bytes, given {}", i,
                  needed, planned[i].size());
    }
    if (needed != 0 && !aligned(planned[i])) {
      return fail(Status::kInvalidArgument, "planned buffer {} does not start at a multiple of {}",
                  i, DataLoader::kDataAlignment);
    }
  }
  if (!aligned(method_.memory_.arena)) {
    return fail(Status::kInvalidArgument, "the method arena does not start at a multiple of {}",
                DataLoader::kDataAlignment);
  }
  return Status::kOk;
}

// TableCounts::bytes() follows this order.
void MethodLoader::allocate_tables() {
  const TableCounts counts = TableCounts::of(plan_, method_.options_.events != nullptr);
  Arena& arena = method_.arena_;
  MethodTables& tables = method_.tables_;
  const auto take = [&](auto* table, size_t count) {
    using Item = std::remove_reference_t<decltype((*table)[0])>;
    *table = {arena.allocate_array<Item>(count), count};
  };
  take(&tables.values, counts.values);
  ints_ = arena.allocate_array<int64_t>(counts.ints);
  tensors_ = arena.allocate_array<Tensor>(counts.tensors);
  int_lists_ = arena.allocate_array<IntList>(counts.int_lists);
  int_items_ = arena.allocate_array<Value*>(counts.ints);
  tensor_items_ = arena.allocate_array<Tensor*>(counts.tensor_items);
  take(&tables.chains, counts.chains);
  steps_ = arena.allocate_array<Step>(counts.steps);
  args_ = arena.allocate_array<Value*>(counts.args);
  take(&tables.kernels, counts.operators);
  take(&tables.delegates, counts.delegates);
  take(&tables.names, counts.name_bytes == 0 ? 0 : counts.operators);
  strides_ = arena.allocate_array<int32_t>(counts.strides);
  sizes_ = arena.allocate_array<int32_t>(counts.sizes);
  take(&tables.input_set, counts.inputs);
  take(&tables.varying, counts.values);
  name_bytes_ = arena.allocate_array<char>(counts.name_bytes);
}

Status MethodLoader::make_values() {
  for (uint32_t i = 0; i < plan_.values()->size(); ++i) {
    const fb::EValue& flat = *plan_.values()->Get(i);
    Value& out = *value(i);
    switch (flat.val_type()) {
      case fb::KernelTypes::Int:
        out = Value::of_int(flat.val_as_Int()->int_val());
        break;
      case fb::KernelTypes::Double:
        out = Value::of_double(flat.val_as_Double()->double_val());
        break;
      case fb::KernelTypes::Bool:
        out = Value::of_bool(flat.val_as_Bool()->bool_val());
        break;
      case fb::KernelTypes::String:
        out = Value::of_string(flat.val_as_String()->string_val()->c_str());
        break;
      case fb::KernelTypes::DoubleList: {
        const auto* items = flat.val_as_DoubleList()->items();
        out = Value::of_double_list({items->data(), items->size()});
        break;
      }
      case fb::KernelTypes::BoolList: {
        const auto* items = flat.val_as_BoolList()->items();
        out = Value::of_bool_list({reinterpret_cast<const bool*>(items->Data()), items->size()});
        break;
      }
      case fb::KernelTypes::Tensor: {
        Tensor* tensor = tensors_++;
        CRESSET_TRY(make_tensor(*flat.val_as_Tensor(), tensor));
        out = Value::of_tensor(tensor);
        break;
      }
      default:
        break;
    }
  }
  return Status::kOk;
}

Status MethodLoader::make_tensor(const fb::Tensor& flat, Tensor* tensor) {
  const TensorInfo info = tensor_info(flat);
  const size_t rank = info.sizes.size();
  uint8_t* data = nullptr;
  CRESSET_TRY(find_data(flat, info, &data));
  int32_t* sizes = nullptr;
  if (info.dynamism == Dynamism::kStatic) {
    // A static tensor never writes its sizes, so the program's own serve.
    sizes = const_cast<int32_t*>(info.sizes.data());
  } else {
    sizes = sizes_;
    sizes_ += rank;
    if (rank != 0) {
      std::memcpy(sizes, info.sizes.data(), rank * sizeof(int32_t));
    }
  }
  *tensor = Tensor(info.dtype, {sizes, rank}, info.dim_order, {strides_, rank}, data, info.nbytes,
                   info.dynamism);
  strides_ += rank;
  return Status::kOk;
}

Status MethodLoader::find_data(const fb::Tensor& flat, const TensorInfo& info, uint8_t** data) {
  if (info.planned) {
    *data = method_.memory_.planned[info.buffer].data() + info.offset;
    if (std::strcmp(info.name, kScratch) == 0) {
      method_.scratch_ = {*data, info.nbytes};
    }
    return Status::kOk;
  }
  if (!info.constant) {
    return Status::kOk;
  }
  const uint8_t* bytes = nullptr;
  if (is_external(flat)) {
    Span<const uint8_t> found;
    CRESSET_TRY(find_external(flat, info, &found));
    bytes = found.data();
  } else {
    bytes = method_.program_->constant(flat.data_buffer_idx());
  }
  align_constant(info, &bytes);
  // Constants are read-only by the kernels' contract: outputs and written arguments are checked
  // when instructions are bound.
  *data = const_cast<uint8_t*>(bytes);
  return Status::kOk;
}

// Files may pack constants without regard to alignment; such a constant is copied.
void MethodLoader::align_constant(const TensorInfo& info, const uint8_t** data) {
  if (reinterpret_cast<uintptr_t>(*data) % dtype_bytes(info.dtype) == 0) {
    return;
  }
  void* copy = method_.arena_.allocate(info.nbytes, DataLoader::kDataAlignment);
  if (copy == nullptr) {
    return;  // run() fails when all are counted
  }
  std::memcpy(copy, *data, info.nbytes);
  *data = static_cast<const uint8_t*>(copy);
}

Status MethodLoader::find_external(const fb::Tensor& flat, const TensorInfo& info,
                                   Span<const uint8_t>* data) {
  if (method_.options_.data == nullptr) {
    return fail(Status::kInvalidState, "tensor {} lies in a data file (.ptd); none was given",
                info.name);
  }
  const Result<NamedDatum> found = method_.options_.data->find(info.name);
  if (!found.ok()) {
    return fail(found.status(), "tensor {} is not in the data files given: {}", info.name,
                found.status());
  }
  if (!found->has_layout) {
    return fail(Status::kInvalidExternalData, "tensor {}: the data file does not say its layout",
                info.name);
  }
  if (found->dtype != info.dtype || !equal(found->sizes, info.sizes) ||
      !equal(found->dim_order, info.dim_order)) {
    return fail(Status::kInvalidExternalData,
                "tensor {}: the data file has {} {} in order {}, expected {} {} in order {}",
                info.name, found->dtype, found->sizes, found->dim_order, info.dtype, info.sizes,
                info.dim_order);
  }
  if (found->data.size() < info.nbytes) {
    return fail(Status::kInvalidExternalData, "tensor {}: {} bytes in the data file, expected {}",
                info.name, found->data.size(), info.nbytes);
  }
  *data = found->data;
  return Status::kOk;
}

// Lists point to values and tensors, which all exist by now.
void MethodLoader::fill_lists() {
  const auto fill_tensors = [&](const flatbuffers::Vector<int32_t>& items, Value& out) {
    Tensor** first = tensor_items_;
    for (uint32_t i = 0; i < items.size(); ++i) {
      *tensor_items_++ = items.Get(i) < 0 ? nullptr : value(items.Get(i))->as_tensor();
    }
    out = Value::of_tensor_list({first, items.size()});
  };
  for (uint32_t i = 0; i < plan_.values()->size(); ++i) {
    const fb::EValue& flat = *plan_.values()->Get(i);
    if (const auto* list = flat.val_as_IntList()) {
      IntList* ints = int_lists_++;
      ints->ints = ints_;
      ints->items = int_items_;
      ints->size = list->items()->size();
      for (uint32_t k = 0; k < ints->size; ++k) {
        *int_items_++ = value(list->items()->Get(k));
        *ints_++ = 0;
      }
      *value(i) = Value::of_int_list(ints);
    } else if (const auto* tensors = flat.val_as_TensorList()) {
      fill_tensors(*tensors->items(), *value(i));
    } else if (const auto* optionals = flat.val_as_OptionalTensorList()) {
      fill_tensors(*optionals->items(), *value(i));
    }
  }
}

void MethodLoader::find_side_data() {
  const char* name = text_of(plan_.name());
  method_.debug_handles_ = find_named(*method_.program_, kDebugHandles, name);
  method_.input_ranges_ = find_named(*method_.program_, kInputRanges, name);
  method_.input_relations_ = find_named(*method_.program_, kInputRelations, name);
}

Status MethodLoader::initialise_state(const Method& method, uint64_t keep, Message& message) {
  const fb::ExecutionPlan& plan = *method.plan_;
  const Span<const Span<uint8_t>> planned = method.memory_.planned;
  const auto keeps = [&](size_t buffer) { return ((keep >> buffer) & 1) != 0; };
  // Only what tensors use: a buffer may be declared larger than its memory is worth touching.
  for (size_t i = 0; i < method.meta().planned_buffer_count(); ++i) {
    uint64_t used = 0;
    for (const fb::EValue* value : *plan.values()) {
      const auto* tensor = value->val_as_Tensor();
      if (tensor != nullptr && tensor->allocation_info() != nullptr) {
        const TensorInfo info = tensor_info(*tensor);
        const uint64_t end = info.offset + info.nbytes;
        used = info.buffer == i && end > used ? end : used;
      }
    }
    if (used != 0 && !keeps(i)) {
      std::memset(planned[i].data(), 0, static_cast<size_t>(used));
    }
  }
  MethodLoader loader(const_cast<Method&>(method), plan, message);
  for (const fb::EValue* value : *plan.values()) {
    const auto* tensor = value->val_as_Tensor();
    if (tensor == nullptr || tensor->allocation_info() == nullptr) {
      continue;
    }
    const TensorInfo info = tensor_info(*tensor);
    if (keeps(info.buffer)) {
      continue;
    }
    uint8_t* out = planned[info.buffer].data() + info.offset;
    if (is_external(*tensor)) {
      Span<const uint8_t> found;
      CRESSET_TRY(loader.find_external(*tensor, info, &found));
      std::memcpy(out, found.data(), info.nbytes);
    } else if (tensor->data_buffer_idx() != 0) {
      const Status status =
          method.program_->load_state(tensor->data_buffer_idx(), info.nbytes, out);
      if (!ok(status)) {
        return loader.fail(status, "cannot read the initial state: {}", status);
      }
    }
  }
  return Status::kOk;
}

}  // namespace cresset
