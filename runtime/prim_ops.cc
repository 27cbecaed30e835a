// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/prim_ops.h"

#include <cmath>
#include <cstring>

#include "runtime/copy_elements.h"

namespace cresset {
namespace {

using ops::ArgCode;

// Integers wrap, as everywhere in PyTorch.
int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

struct Add {
  static int64_t ints(int64_t a, int64_t b) { return wrap(uint64_t(a) + uint64_t(b)); }
  static double doubles(double a, double b) { return a + b; }
};
struct Sub {
  static int64_t ints(int64_t a, int64_t b) { return wrap(uint64_t(a) - uint64_t(b)); }
  static double doubles(double a, double b) { return a - b; }
};
struct Mul {
  static int64_t ints(int64_t a, int64_t b) { return wrap(uint64_t(a) * uint64_t(b)); }
  static double doubles(double a, double b) { return a * b; }
};
// Python's // and %: toward minus infinity, the remainder has the divisor's sign.
struct FloorDiv {
  static int64_t ints(int64_t a, int64_t b) {
    if (b == -1) {
      return wrap(0 - uint64_t(a));
    }
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }
  static double doubles(double a, double b) { return std::floor(a / b); }
};
struct Mod {
  static int64_t ints(int64_t a, int64_t b) {
    const int64_t rest = b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  static double doubles(double a, double b) {
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};
struct Max {
  static int64_t ints(int64_t a, int64_t b) { return a > b ? a : b; }
  static double doubles(double a, double b) { return a > b ? a : b; }
};
struct Min {
  static int64_t ints(int64_t a, int64_t b) { return a < b ? a : b; }
  static double doubles(double a, double b) { return a < b ? a : b; }
};

template <class F>
Status arithmetic(KernelContext&, Value* const* args) {
  const Scalar a = args[0]->as_scalar();
  const Scalar b = args[1]->as_scalar();
  *args[2] = a.is_double() || b.is_double()
                 ? Value::of_double(F::doubles(a.to_double(), b.to_double()))
                 : Value::of_int(F::ints(a.to_int(), b.to_int()));
  return Status::kOk;
}

template <class F>
Status division(KernelContext& context, Value* const* args) {
  const Scalar divisor = args[1]->as_scalar();
  if (!divisor.to_bool()) {
    return context.fail(Status::kInvalidArgument, "division by zero");
  }
  return arithmetic<F>(context, args);
}

Status true_division(KernelContext& context, Value* const* args) {
  const double divisor = args[1]->as_scalar().to_double();
  if (divisor == 0) {
    return context.fail(Status::kInvalidArgument, "division by zero");
  }
  *args[2] = Value::of_double(args[0]->as_scalar().to_double() / divisor);
  return Status::kOk;
}

struct Eq {
  template <class T>
  static bool compare(T a, T b) {
    return a == b;
  }
};
struct Gt {
  template <class T>
  static bool compare(T a, T b) {
    return a > b;
  }
};
struct Lt {
  template <class T>
  static bool compare(T a, T b) {
    return a < b;
  }
};
struct Ge {
  template <class T>
  static bool compare(T a, T b) {
    return a >= b;
  }
};
struct Le {
  template <class T>
  static bool compare(T a, T b) {
    return a <= b;
  }
};

template <class F>
Status comparison(KernelContext&, Value* const* args) {
  const Scalar a = args[0]->as_scalar();
  const Scalar b = args[1]->as_scalar();
  *args[2] = Value::of_bool(a.is_double() || b.is_double()
                                ? F::template compare<double>(a.to_double(), b.to_double())
                                : F::template compare<int64_t>(a.to_int(), b.to_int()));
  return Status::kOk;
}

Status negate(KernelContext&, Value* const* args) {
  const Scalar a = args[0]->as_scalar();
  *args[1] = a.is_double() ? Value::of_double(-a.to_double())
                           : Value::of_int(wrap(0 - uint64_t(a.to_int())));
  return Status::kOk;
}

Status logical_not(KernelContext&, Value* const* args) {
  *args[1] = Value::of_bool(!args[0]->as_scalar().to_bool());
  return Status::kOk;
}

Status to_float(KernelContext&, Value* const* args) {
  *args[1] = Value::of_double(args[0]->as_scalar().to_double());
  return Status::kOk;
}

Status if_then_else(KernelContext&, Value* const* args) {
  *args[3] = args[0]->as_scalar().to_bool() ? *args[1] : *args[2];
  return Status::kOk;
}

// A double made integral by `round`, as an int.
template <double (*round)(double)>
Status integral(KernelContext& context, Value* const* args) {
  const Scalar a = args[0]->as_scalar();
  if (!a.is_double()) {
    *args[1] = Value::of_int(a.to_int());
    return Status::kOk;
  }
  const double rounded = round(a.to_double());
  if (!(rounded >= -9223372036854775808.0 && rounded < 9223372036854775808.0)) {
    return context.fail(Status::kInvalidArgument, "{} is no 64-bit integer", rounded);
  }
  *args[1] = Value::of_int(static_cast<int64_t>(rounded));
  return Status::kOk;
}

double truncate(double a) { return std::trunc(a); }
double ceiling(double a) { return std::ceil(a); }
// Python's round: halves go to the even neighbour.
double round_half_even(double a) {
  const double below = std::floor(a);
  const double rest = a - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0);
  return below + (up ? 1 : 0);
}

Status sym_size(KernelContext& context, Value* const* args) {
  const Tensor& self = *args[0]->as_tensor();
  const int64_t rank = static_cast<int64_t>(self.rank());
  const int64_t dim = args[1]->as_scalar().to_int();
  if (dim < -rank || dim >= rank) {
    return context.fail(Status::kInvalidArgument, "dim {} of a tensor of rank {}", dim, rank);
  }
  *args[2] = Value::of_int(self.size(static_cast<size_t>(dim < 0 ? dim + rank : dim)));
  return Status::kOk;
}

Status sym_numel(KernelContext&, Value* const* args) {
  *args[1] = Value::of_int(args[0]->as_tensor()->numel());
  return Status::kOk;
}

Status local_scalar_dense(KernelContext& context, Value* const* args) {
  const Tensor& self = *args[0]->as_tensor();
  if (self.numel() != 1) {
    return context.fail(Status::kInvalidArgument, "a tensor of shape {} is not one number",
                        self.sizes());
  }
  switch (self.dtype()) {
    case DType::kBool:
      *args[1] = Value::of_bool(*self.data<uint8_t>() != 0);
      return Status::kOk;
#define CRESSET_INT_CASE(name)                                                        \
  case DType::name:                                                                   \
    *args[1] = Value::of_int(static_cast<int64_t>(*self.data<CType<DType::name>>())); \
    return Status::kOk;
      CRESSET_INT_CASE(kUInt8)
      CRESSET_INT_CASE(kInt8)
      CRESSET_INT_CASE(kInt16)
      CRESSET_INT_CASE(kInt32)
      CRESSET_INT_CASE(kInt64)
      CRESSET_INT_CASE(kUInt16)
      CRESSET_INT_CASE(kUInt32)
#undef CRESSET_INT_CASE
    case DType::kFloat16:
      *args[1] = Value::of_double(static_cast<float>(*self.data<Half>()));
      return Status::kOk;
    case DType::kBFloat16:
      *args[1] = Value::of_double(static_cast<float>(*self.data<BFloat16>()));
      return Status::kOk;
    case DType::kFloat32:
      *args[1] = Value::of_double(*self.data<float>());
      return Status::kOk;
    case DType::kFloat64:
      *args[1] = Value::of_double(*self.data<double>());
      return Status::kOk;
    default:
      return context.fail(Status::kNotSupported, "{} is no number of a program", self.dtype());
  }
}

// out[index] = piece; out has index + 1 pieces afterwards.
Status copy_index(KernelContext& context, Value* const* args) {
  Tensor& out = *args[0]->as_tensor();
  const Tensor& piece = *args[1]->as_tensor();
  const int64_t index = args[2]->as_scalar().to_int();
  if (out.rank() != piece.rank() + 1 || out.dtype() != piece.dtype() || index < 0 ||
      index >= INT32_MAX) {
    return context.fail(Status::kInvalidArgument, "{} {} cannot become piece {} of {} {}",
                        piece.dtype(), piece.sizes(), index, out.dtype(), out.sizes());
  }
  int32_t sizes[kMaxRank];
  sizes[0] = static_cast<int32_t>(index + 1);
  for (size_t d = 0; d < piece.rank(); ++d) {
    sizes[d + 1] = piece.sizes()[d];
  }
  const Span<const int32_t> wanted(sizes, out.rank());
  const bool fits_static = out.dynamism() == Dynamism::kStatic && index < out.size(0) &&
                           equal(out.sizes().subspan(1), wanted.subspan(1));
  if (!fits_static && !ok(out.resize(wanted))) {
    return context.fail(Status::kInvalidArgument, "an output of shape {} cannot take {}",
                        out.sizes(), wanted);
  }
  if (!out.is_contiguous() || !piece.is_contiguous()) {
    return context.fail(Status::kNotSupported, "dim orders {} and {}: both must be row-major",
                        out.dim_order(), piece.dim_order());
  }
  const size_t bytes = piece.nbytes();
  if (bytes != 0) {
    std::memmove(static_cast<uint8_t*>(out.mutable_raw_data()) + static_cast<size_t>(index) * bytes,
                 piece.raw_data(), bytes);
  }
  return Status::kOk;
}

// out = self seen as `size`, of which one item may be -1.
Status view(KernelContext& context, Value* const* args) {
  Tensor& self = *args[0]->as_tensor();
  const Span<const int64_t> size = args[1]->as_ints();
  Tensor& out = *args[2]->as_tensor();
  const int64_t numel = self.numel();
  int32_t sizes[kMaxRank];
  int64_t known = 1;
  int inferred = -1;
  bool good = size.size() == out.rank() && self.dtype() == out.dtype();
  for (size_t d = 0; good && d < size.size(); ++d) {
    if (size[d] == -1 && inferred < 0) {
      inferred = static_cast<int>(d);
      continue;
    }
    good = size[d] >= 0 && size[d] <= INT32_MAX && (size[d] == 0 || known <= INT32_MAX / size[d]);
    known *= good ? size[d] : 1;
    sizes[d] = static_cast<int32_t>(good ? size[d] : 0);
  }
  if (good && inferred >= 0) {
    good = known != 0 && numel % known == 0;
    sizes[inferred] = static_cast<int32_t>(good ? numel / known : 0);
  } else {
    good = good && known == numel;
  }
  if (!good) {
    return context.fail(Status::kInvalidArgument, "{} {} cannot be seen as {} {}", self.dtype(),
                        self.sizes(), out.dtype(), size);
  }
  if (!self.is_contiguous()) {
    return context.fail(Status::kNotSupported,
                        "dim order {}: only a row-major tensor can be viewed", self.dim_order());
  }
  out.set_data(self.mutable_raw_data(), self.capacity_bytes());
  const Span<const int32_t> wanted(sizes, out.rank());
  if (!ok(out.resize(wanted))) {
    return context.fail(Status::kInvalidArgument, "a static output of shape {} cannot take {}",
                        out.sizes(), wanted);
  }
  return Status::kOk;
}

constexpr ArgCode kBinary[] = {ArgCode::kScalar, ArgCode::kScalar, ArgCode::kOutValue};
constexpr ArgCode kUnary[] = {ArgCode::kScalar, ArgCode::kOutValue};
constexpr ArgCode kTernary[] = {ArgCode::kScalar, ArgCode::kScalar, ArgCode::kScalar,
                                ArgCode::kOutValue};
constexpr ArgCode kOfTensor[] = {ArgCode::kTensor, ArgCode::kOutValue};
constexpr ArgCode kOfTensorAndInt[] = {ArgCode::kTensor, ArgCode::kInt, ArgCode::kOutValue};
constexpr ArgCode kCopyIndex[] = {ArgCode::kMutableTensor, ArgCode::kTensor, ArgCode::kInt};
constexpr ArgCode kView[] = {ArgCode::kTensor, ArgCode::kInts, ArgCode::kOutTensor};

template <size_t N>
constexpr ops::Kernel row(const char* name, const char* overload, ops::BoxedFn call,
                          const ArgCode (&codes)[N]) {
  return {name, overload, call, nullptr, nullptr, codes, N, 0, ops::kNoTraits};
}

constexpr ops::Kernel kPrims[] = {
    row("aten::_local_scalar_dense", "", local_scalar_dense, kOfTensor),
    row("aten::sym_numel", "", sym_numel, kOfTensor),
    row("aten::sym_size", "int", sym_size, kOfTensorAndInt),
    row("executorch_prim::add", "Scalar", arithmetic<Add>, kBinary),
    row("executorch_prim::ceil", "Scalar", integral<ceiling>, kUnary),
    row("executorch_prim::eq", "Scalar", comparison<Eq>, kBinary),
    row("executorch_prim::et_copy_index", "tensor", copy_index, kCopyIndex),
    row("executorch_prim::et_view", "default", view, kView),
    row("executorch_prim::floordiv", "Scalar", division<FloorDiv>, kBinary),
    row("executorch_prim::floordiv", "int", division<FloorDiv>, kBinary),
    row("executorch_prim::ge", "Scalar", comparison<Ge>, kBinary),
    row("executorch_prim::gt", "Scalar", comparison<Gt>, kBinary),
    row("executorch_prim::le", "Scalar", comparison<Le>, kBinary),
    row("executorch_prim::lt", "Scalar", comparison<Lt>, kBinary),
    row("executorch_prim::mod", "Scalar", division<Mod>, kBinary),
    row("executorch_prim::mod", "int", division<Mod>, kBinary),
    row("executorch_prim::mul", "Scalar", arithmetic<Mul>, kBinary),
    row("executorch_prim::neg", "Scalar", negate, kUnary),
    row("executorch_prim::round", "Scalar", integral<round_half_even>, kUnary),
    row("executorch_prim::sub", "Scalar", arithmetic<Sub>, kBinary),
    row("executorch_prim::sym_float", "Scalar", to_float, kUnary),
    row("executorch_prim::sym_int", "Scalar", integral<truncate>, kUnary),
    row("executorch_prim::sym_ite", "Scalar", if_then_else, kTernary),
    row("executorch_prim::sym_max", "Scalar", arithmetic<Max>, kBinary),
    row("executorch_prim::sym_min", "Scalar", arithmetic<Min>, kBinary),
    row("executorch_prim::sym_not", "Scalar", logical_not, kUnary),
    row("executorch_prim::truediv", "Scalar", true_division, kBinary),
    row("executorch_prim::trunc", "Scalar", integral<truncate>, kUnary),
};

}  // namespace

ops::KernelTable prim_kernels() { return kPrims; }

}  // namespace cresset
