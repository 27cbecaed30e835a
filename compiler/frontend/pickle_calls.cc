// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/pickle_calls.h"

#include <utility>

namespace cresset::frontend {

namespace {

struct StorageName {
  std::string_view name;
  DType dtype;
};

constexpr StorageName kStorageNames[] = {
    {"torch.FloatStorage", DType::kFloat32},
    {"torch.DoubleStorage", DType::kFloat64},
    {"torch.HalfStorage", DType::kFloat16},
    {"torch.BFloat16Storage", DType::kBFloat16},
    {"torch.LongStorage", DType::kInt64},
    {"torch.IntStorage", DType::kInt32},
    {"torch.ShortStorage", DType::kInt16},
    {"torch.CharStorage", DType::kInt8},
    {"torch.ByteStorage", DType::kUInt8},
    {"torch.BoolStorage", DType::kBool},
    {"torch.ComplexFloatStorage", DType::kComplex64},
    {"torch.ComplexDoubleStorage", DType::kComplex128},
    {"torch.storage.UntypedStorage", DType::kUInt8},
};

// PyTorch's own limit. It also keeps a stream from multiplying one long tuple.
constexpr size_t kMaxRank = 64;
constexpr size_t kMaxKeyBytes = 64;

constexpr std::string_view kTorchPrefix = "torch.";
constexpr std::string_view kTensorV2 = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kTensorV3 = "torch._utils._rebuild_tensor_v3";
constexpr std::string_view kParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kParameterWithState = "torch._utils._rebuild_parameter_with_state";
constexpr std::string_view kFromType = "torch._tensor._rebuild_from_type_v2";
constexpr std::string_view kWrapperSubclass = "torch._utils._rebuild_wrapper_subclass";
constexpr std::string_view kFakeTensor = "torch._export.serde.serialize._reconstruct_fake_tensor";

Error damaged(std::string text) { return {Status::kInvalidExternalData, std::move(text)}; }

// Reasons that say more than the name of the call.
std::string refusal(std::string_view callee) {
  std::string text = "the pickle calls " + std::string(callee.substr(0, 120));
  if (callee == kFakeTensor) {
    return text + ": the program was exported with fake weights, which have a shape and no values";
  }
  if (callee == "torch._utils._rebuild_qtensor") {
    return text +
           ": tensors of the old quantized dtypes (torch.qint8 ...) are not supported; "
           "quantize with torchao or PT2E";
  }
  if (callee == "torch._utils._rebuild_sparse_tensor") {
    return text + ": sparse tensors are not supported";
  }
  return text + ", which is not plain data";
}

bool read_ints(const PickleValue& value, std::vector<int64_t>* ints) {
  if ((value.kind != PickleKind::kTuple && value.kind != PickleKind::kList) ||
      value.items.size() > kMaxRank) {
    return false;
  }
  for (const PickleValue* item : value.items) {
    if (item->kind != PickleKind::kInt || item->integer < 0) {
      return false;
    }
    ints->push_back(item->integer);
  }
  return true;
}

bool flag(const PickleValue& metadata, std::string_view key) {
  const PickleValue* value = metadata.get(key);
  return value != nullptr && value->kind == PickleKind::kBool && value->boolean;
}

// (storage, offset, sizes, strides, requires_grad, hooks [, dtype] [, metadata])
Expected<PickleValue> make_tensor(const PickleValue& args, bool with_dtype) {
  const std::vector<const PickleValue*>& items = args.items;
  const size_t metadata_at = with_dtype ? 7 : 6;
  if (items.size() < metadata_at || items.size() > metadata_at + 1 ||
      items[0]->kind != PickleKind::kStorage || items[0]->integer < 0 ||
      items[1]->kind != PickleKind::kInt || items[1]->integer < 0 ||
      (with_dtype && items[6]->kind != PickleKind::kDType)) {
    return damaged("the pickle describes a tensor with wrong arguments");
  }
  PickleTensor tensor;
  tensor.storage = items[0];
  tensor.dtype = with_dtype ? items[6]->dtype : items[0]->dtype;
  tensor.offset_elems = items[1]->integer;
  if (!read_ints(*items[2], &tensor.sizes) || !read_ints(*items[3], &tensor.strides) ||
      tensor.sizes.size() != tensor.strides.size()) {
    return damaged("the pickle describes a tensor with wrong sizes or strides");
  }
  if (items.size() > metadata_at) {
    tensor.conjugate = flag(*items[metadata_at], "conj");
    tensor.negate = flag(*items[metadata_at], "neg");
  }
  PickleValue value;
  value.kind = PickleKind::kTensor;
  value.tensor = std::make_shared<const PickleTensor>(std::move(tensor));
  return value;
}

Expected<PickleValue> make_from_type(const PickleValue& args) {
  const std::vector<const PickleValue*>& items = args.items;
  if (items.size() != 4 || items[0]->kind != PickleKind::kGlobal ||
      items[1]->kind != PickleKind::kGlobal || items[2]->kind != PickleKind::kTuple) {
    return damaged("the pickle describes a tensor subclass with wrong arguments");
  }
  if (items[0]->text == kWrapperSubclass) {
    PickleValue value;
    value.kind = PickleKind::kObject;
    value.text = items[1]->text;
    value.items = {items[2], items[3]};
    return value;
  }
  // A subclass in a subclass would recurse without bound.
  if (items[0]->text == kFromType ||
      (items[1]->text != "torch.Tensor" && items[1]->text != "torch.nn.parameter.Parameter")) {
    return Error{Status::kNotSupported,
                 "the tensor subclass " + items[1]->text.substr(0, 120) + " cannot be read"};
  }
  return call_value(*items[0], *items[2]);
}

}  // namespace

PickleValue name_value(std::string name) {
  PickleValue value;
  for (const StorageName& row : kStorageNames) {
    if (row.name == name) {
      value.kind = PickleKind::kStorage;
      value.dtype = row.dtype;
      value.integer = -1;
      value.text = std::move(name);
      return value;
    }
  }
  const std::string_view tail = std::string_view(name).substr(
      name.compare(0, kTorchPrefix.size(), kTorchPrefix) == 0 ? kTorchPrefix.size() : name.size());
  value.kind = !tail.empty() && dtype_from_text(tail.data(), tail.size(), &value.dtype)
                   ? PickleKind::kDType
                   : PickleKind::kGlobal;
  value.text = std::move(name);
  return value;
}

Expected<PickleValue> call_value(const PickleValue& callee, const PickleValue& args) {
  if (callee.kind != PickleKind::kGlobal || args.kind != PickleKind::kTuple) {
    return damaged("the pickle calls something that is not a function");
  }
  const std::string_view name = callee.text;
  const std::vector<const PickleValue*>& items = args.items;
  if (name == kTensorV2 || name == kTensorV3) {
    return make_tensor(args, name == kTensorV3);
  }
  if (name == kParameter || name == kParameterWithState) {
    if (items.empty() || items[0]->kind != PickleKind::kTensor) {
      return damaged("the pickle describes a parameter that is not a tensor");
    }
    return PickleValue(*items[0]);
  }
  if (name == kFromType) {
    return make_from_type(args);
  }
  if (name == "collections.OrderedDict" && items.empty()) {
    PickleValue value;
    value.kind = PickleKind::kDict;
    return value;
  }
  if (name == "torch.Size") {
    if (items.size() == 1 &&
        (items[0]->kind == PickleKind::kTuple || items[0]->kind == PickleKind::kList) &&
        items[0]->items.size() <= kMaxRank) {
      PickleValue value = *items[0];
      value.kind = PickleKind::kTuple;
      return value;
    }
    return damaged("the pickle describes a torch.Size with wrong arguments");
  }
  // Constructors of values that hold no tensor: kept as inert nodes.
  if (name == "torch.device" || name == "torch.serialization._get_layout" ||
      name.substr(0, 8) == "torchao.") {
    PickleValue value;
    value.kind = PickleKind::kObject;
    value.text = name;
    value.items = {&args};
    return value;
  }
  return Error{Status::kNotSupported, refusal(name)};
}

Expected<PickleValue> persistent_value(const PickleValue& id) {
  const std::vector<const PickleValue*>& items = id.items;
  if (id.kind != PickleKind::kTuple || items.size() != 5 || items[0]->kind != PickleKind::kText ||
      items[0]->text != "storage" || items[2]->kind != PickleKind::kText ||
      items[2]->text.size() > kMaxKeyBytes || items[4]->kind != PickleKind::kInt ||
      items[4]->integer < 0) {
    return damaged("the pickle refers to something outside that is not a storage");
  }
  if (items[1]->kind != PickleKind::kStorage || items[1]->integer >= 0) {
    return Error{Status::kNotSupported, "the pickle holds a storage of the unknown class " +
                                            items[1]->text.substr(0, 120)};
  }
  PickleValue value;
  value.kind = PickleKind::kStorage;
  value.text = items[2]->text;
  value.dtype = items[1]->dtype;
  value.integer = items[4]->integer;
  return value;
}

}  // namespace cresset::frontend
