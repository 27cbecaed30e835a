// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>

#include "core/kernel_context.h"
#include "core/optional.h"
#include "core/value.h"
#include "ops/kernel_args.h"
#include "ops/op_id.h"
#include "ops/schema.h"

namespace cresset::ops {

constexpr ArgCode arg_code(const SchemaArg& arg) {
  switch (arg.type) {
    case TypeTag::kTensor:
      return arg.optional_items ? ArgCode::kOptionalTensors
             : arg.list         ? ArgCode::kTensors
             : arg.writes       ? ArgCode::kMutableTensor
             : arg.optional     ? ArgCode::kOptionalTensor
                                : ArgCode::kTensor;
    case TypeTag::kScalar:
      return arg.optional ? ArgCode::kOptionalScalar : ArgCode::kScalar;
    case TypeTag::kFloat:
      return arg.list ? (arg.optional ? ArgCode::kOptionalDoubles : ArgCode::kDoubles)
                      : (arg.optional ? ArgCode::kOptionalDouble : ArgCode::kDouble);
    case TypeTag::kBool:
      return arg.list ? ArgCode::kBools : arg.optional ? ArgCode::kOptionalBool : ArgCode::kBool;
    case TypeTag::kString:
      return arg.optional ? ArgCode::kOptionalString : ArgCode::kString;
    case TypeTag::kDType:
      return arg.optional ? ArgCode::kOptionalDType : ArgCode::kDType;
    default:
      return arg.list ? (arg.optional ? ArgCode::kOptionalInts : ArgCode::kInts)
                      : (arg.optional ? ArgCode::kOptionalInt : ArgCode::kInt);
  }
}

constexpr ArgCode out_code(const SchemaArg& result) {
  return result.type != TypeTag::kTensor ? ArgCode::kOutValue
         : result.list                   ? ArgCode::kOutTensors
                                         : ArgCode::kOutTensor;
}

// The arguments of a row's kernel in order: the schema's without tensor options and generators,
// then one output a result (none for a result that is a written argument).
struct KernelForm {
  ArgCode codes[kMaxArgs + kMaxReturns] = {};
  uint8_t count = 0;
  uint8_t out_count = 0;
};

constexpr KernelForm kernel_form(const Schema& schema) {
  KernelForm form;
  for (size_t i = 0; i < schema.arg_count; ++i) {
    if (!schema.is_tensor_option(i) && schema.args[i].type != TypeTag::kGenerator) {
      form.codes[form.count++] = arg_code(schema.args[i]);
    }
  }
  for (size_t i = 0; i < schema.return_count; ++i) {
    if (!schema.returns[i].writes) {
      form.codes[form.count++] = out_code(schema.returns[i]);
      ++form.out_count;
    }
  }
  return form;
}

// The row's schema and kernel form, read while compiling.
template <OpId id>
struct Row;
#define OP(id, name, overload, out, schema, traits, inference, doc)        \
  template <>                                                              \
  struct Row<OpId::id> {                                                   \
    static constexpr Schema kSchema = parse_schema(schema);                \
    static_assert(kSchema.valid, "the schema of " name " does not parse"); \
    static constexpr KernelForm kForm = kernel_form(kSchema);              \
  };
#include "ops/op_table.def"
#undef OP

template <ArgCode>
struct ArgTypeOf;
#define CRESSET_ARG_TYPE(code, type, ...)                  \
  template <>                                              \
  struct ArgTypeOf<ArgCode::code> {                        \
    using Type = type;                                     \
    static Type from(Value& value) { return __VA_ARGS__; } \
  };
CRESSET_ARG_TYPE(kTensor, const Tensor&, *value.as_tensor())
CRESSET_ARG_TYPE(kOptionalTensor, const Tensor*, value.is_none() ? nullptr : value.as_tensor())
CRESSET_ARG_TYPE(kTensors, TensorSpan, value.as_tensors())
CRESSET_ARG_TYPE(kOptionalTensors, TensorSpan, value.as_tensors())
CRESSET_ARG_TYPE(kScalar, Scalar, value.as_scalar())
CRESSET_ARG_TYPE(kOptionalScalar, Optional<Scalar>,
                 value.is_none() ? Optional<Scalar>() : Optional<Scalar>(value.as_scalar()))
CRESSET_ARG_TYPE(kInt, int64_t, value.as_scalar().to_int())
CRESSET_ARG_TYPE(kOptionalInt, Optional<int64_t>,
                 value.is_none() ? Optional<int64_t>()
                                 : Optional<int64_t>(value.as_scalar().to_int()))
CRESSET_ARG_TYPE(kInts, IntSpan, value.as_ints())
CRESSET_ARG_TYPE(kOptionalInts, Optional<IntSpan>,
                 value.is_none() ? Optional<IntSpan>() : Optional<IntSpan>(value.as_ints()))
CRESSET_ARG_TYPE(kDouble, double, value.as_scalar().to_double())
CRESSET_ARG_TYPE(kOptionalDouble, Optional<double>,
                 value.is_none() ? Optional<double>()
                                 : Optional<double>(value.as_scalar().to_double()))
CRESSET_ARG_TYPE(kDoubles, DoubleSpan, value.as_doubles())
CRESSET_ARG_TYPE(kOptionalDoubles, Optional<DoubleSpan>,
                 value.is_none() ? Optional<DoubleSpan>()
                                 : Optional<DoubleSpan>(value.as_doubles()))
CRESSET_ARG_TYPE(kBool, bool, value.as_scalar().to_bool())
CRESSET_ARG_TYPE(kOptionalBool, Optional<bool>,
                 value.is_none() ? Optional<bool>() : Optional<bool>(value.as_scalar().to_bool()))
CRESSET_ARG_TYPE(kBools, BoolSpan, value.as_bools())
CRESSET_ARG_TYPE(kString, const char*, value.as_string())
CRESSET_ARG_TYPE(kOptionalString, const char*, value.is_none() ? nullptr : value.as_string())
CRESSET_ARG_TYPE(kDType, DType, static_cast<DType>(value.as_int()))
CRESSET_ARG_TYPE(kOptionalDType, Optional<DType>,
                 value.is_none() ? Optional<DType>()
                                 : Optional<DType>(static_cast<DType>(value.as_int())))
CRESSET_ARG_TYPE(kMutableTensor, Tensor&, *value.as_tensor())
CRESSET_ARG_TYPE(kOutTensor, Tensor&, *value.as_tensor())
CRESSET_ARG_TYPE(kOutTensors, TensorSpan, value.as_tensors())
CRESSET_ARG_TYPE(kOutValue, Value&, value)
#undef CRESSET_ARG_TYPE

template <OpId id, class Indices = std::make_index_sequence<Row<id>::kForm.count>>
struct KernelFnOf;
template <OpId id, size_t... I>
struct KernelFnOf<id, std::index_sequence<I...>> {
  using Type = Status(KernelContext&, typename ArgTypeOf<Row<id>::kForm.codes[I]>::Type...);
};

// The C++ type of a row's kernel. A library declares all kernels with one line,
// `#define OP(id, ...) ops::KernelFn<ops::OpId::id> id;`, so that a definition with another
// signature does not compile.
template <OpId id>
using KernelFn = typename KernelFnOf<id>::Type;

template <OpId id, KernelFn<id>* kernel,
          class Indices = std::make_index_sequence<Row<id>::kForm.count>>
struct Boxed;
template <OpId id, KernelFn<id>* kernel, size_t... I>
struct Boxed<id, kernel, std::index_sequence<I...>> {
  static Status call(KernelContext& context, Value* const* args) {
    return kernel(context, ArgTypeOf<Row<id>::kForm.codes[I]>::from(*args[I])...);
  }
};

}  // namespace cresset::ops
