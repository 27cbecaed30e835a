// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/record_infer.h"

#include <string_view>

#include "ops/infer_rules.h"

namespace cresset::tests {
namespace {

// The context of ops/infer.h that writes down what the rule says instead of resizing tensors.
class Recorder {
 public:
  using Dim = int64_t;

  Recorder(const std::vector<Value*>& args, std::optional<DType> option,
           const std::vector<size_t>& list_sizes, Inferred* inferred, Message* message)
      : args_(args),
        option_(option),
        list_sizes_(list_sizes),
        inferred_(inferred),
        message_(message) {}

  static Optional<int64_t> known(Dim dim) { return dim; }

  bool has(size_t i) const { return !args_[i]->is_none(); }
  bool is_tensor(size_t i) const { return args_[i]->is_tensor(); }
  DType dtype(size_t i) const { return args_[i]->as_tensor()->dtype(); }
  size_t rank(size_t i) const { return args_[i]->as_tensor()->rank(); }
  Dim size(size_t i, size_t d) const { return args_[i]->as_tensor()->size(d); }

  size_t list_size(size_t i) const {
    switch (args_[i]->kind()) {
      case Value::Kind::kIntList:
        return args_[i]->int_list()->size;
      case Value::Kind::kTensorList:
        return args_[i]->as_tensors().size();
      case Value::Kind::kDoubleList:
        return args_[i]->as_doubles().size();
      case Value::Kind::kBoolList:
        return args_[i]->as_bools().size();
      default:
        return 0;
    }
  }
  bool item_has(size_t i, size_t k) const { return item(i, k) != nullptr; }
  DType item_dtype(size_t i, size_t k) const { return item(i, k)->dtype(); }
  size_t item_rank(size_t i, size_t k) const { return item(i, k)->rank(); }
  Dim item_size(size_t i, size_t k, size_t d) const { return item(i, k)->size(d); }

  Scalar scalar(size_t i) const { return args_[i]->as_scalar(); }
  int64_t integer(size_t i) const { return args_[i]->as_scalar().to_int(); }
  bool boolean(size_t i) const { return args_[i]->as_scalar().to_bool(); }
  bool is_text(size_t i, const char* text) const {
    return has(i) && std::string_view(args_[i]->as_string()) == text;
  }
  double double_item(size_t i, size_t k) const { return args_[i]->as_doubles()[k]; }
  int64_t int_item(size_t i, size_t k) const { return args_[i]->as_ints()[k]; }
  Dim dim(size_t i) const { return integer(i); }
  Dim dim_item(size_t i, size_t k) const { return int_item(i, k); }
  Optional<DType> dtype_arg(size_t i) const {
    return has(i) ? Optional<DType>(static_cast<DType>(args_[i]->as_int())) : Optional<DType>();
  }
  DType option_dtype(DType otherwise) const { return option_.value_or(otherwise); }

  size_t out_list_size(size_t o) const { return list_sizes_[o]; }
  Status set(size_t o, const ops::Dims<Dim>& dims, DType dtype) { return put(o, 0, dims, dtype); }
  Status set_item(size_t o, size_t k, const ops::Dims<Dim>& dims, DType dtype) {
    return put(o, k, dims, dtype);
  }
  template <class... A>
  Status fail(const char* format, const A&... args) {
    return message_->fail(Status::kInvalidArgument, format, args...);
  }

 private:
  const Tensor* item(size_t i, size_t k) const { return args_[i]->as_tensors()[k]; }

  Status put(size_t o, size_t k, const ops::Dims<Dim>& dims, DType dtype) {
    InferredTensor tensor{dtype, {}};
    for (size_t d = 0; d < dims.rank; ++d) {
      if (dims[d] < 0 || dims[d] > INT32_MAX) {
        return fail("size {} of output dimension {} is out of range", dims[d], d);
      }
      tensor.sizes.push_back(static_cast<int32_t>(dims[d]));
    }
    if (inferred_->outs.size() <= o) {
      inferred_->outs.resize(o + 1);
    }
    if (inferred_->outs[o].size() <= k) {
      inferred_->outs[o].resize(k + 1);
    }
    inferred_->outs[o][k] = std::move(tensor);
    return Status::kOk;
  }

  const std::vector<Value*>& args_;
  std::optional<DType> option_;
  const std::vector<size_t>& list_sizes_;
  Inferred* inferred_;
  Message* message_;
};

using Rule = Status (*)(Recorder&);

constexpr Rule kRules[] = {
#define OP(id, name, overload, out, schema, traits, inference, doc) \
  [](Recorder& c) { return ops::infer::inference(c); },
#include "ops/op_table.def"
#undef OP
};

}  // namespace

Status record_infer(ops::OpId id, const std::vector<Value*>& args, std::optional<DType> option,
                    const std::vector<size_t>& list_sizes, Inferred* inferred, Message* message) {
  Recorder recorder(args, option, list_sizes, inferred, message);
  return kRules[static_cast<size_t>(id)](recorder);
}

}  // namespace cresset::tests
