// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/prim_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/message.h"
#include "core/tensor.h"
#include "ops/check_args.h"

namespace cresset {
namespace {

// Runs a primitive operator on `args`, of which the last may be a result.
Status run(const std::string& name, const std::string& overload, std::vector<Value*> args,
           Message* message = nullptr) {
  const ops::KernelTable tables[] = {prim_kernels()};
  const ops::Kernel* kernel = ops::find_kernel(tables, name.c_str(), overload.c_str());
  EXPECT_NE(kernel, nullptr) << name << "." << overload;
  MessageBuffer<128> own;
  EXPECT_EQ(ops::check_args(*kernel, args.data(), args.size(), &own), Status::kOk) << own.text();
  KernelContext context(message == nullptr ? &own : message);
  return kernel->call(context, args.data());
}

Value compute(const std::string& name, Value a, Value b) {
  Value out;
  EXPECT_EQ(run("executorch_prim::" + name, "Scalar", {&a, &b, &out}), Status::kOk);
  return out;
}

Value compute(const std::string& name, Value a) {
  Value out;
  EXPECT_EQ(run("executorch_prim::" + name, "Scalar", {&a, &out}), Status::kOk);
  return out;
}

Value i(int64_t v) { return Value::of_int(v); }
Value d(double v) { return Value::of_double(v); }

TEST(PrimOps, AllOfThemExist) { EXPECT_EQ(prim_kernels().size(), 28u); }

TEST(PrimOps, ArithmeticIsPythons) {
  EXPECT_EQ(compute("add", i(2), i(3)).as_int(), 5);
  EXPECT_EQ(compute("add", i(2), i(3)).kind(), Value::Kind::kInt);
  EXPECT_EQ(compute("add", i(2), d(0.5)).as_double(), 2.5);
  EXPECT_EQ(compute("add", i(INT64_MAX), i(1)).as_int(), INT64_MIN);
  EXPECT_EQ(compute("sub", i(2), i(3)).as_int(), -1);
  EXPECT_EQ(compute("mul", i(-4), i(3)).as_int(), -12);
  EXPECT_EQ(compute("floordiv", i(-7), i(2)).as_int(), -4);
  EXPECT_EQ(compute("floordiv", i(7), i(-2)).as_int(), -4);
  EXPECT_EQ(compute("floordiv", i(-8), i(2)).as_int(), -4);
  EXPECT_EQ(compute("floordiv", i(INT64_MIN), i(-1)).as_int(), INT64_MIN);
  EXPECT_EQ(compute("mod", i(-7), i(2)).as_int(), 1);
  EXPECT_EQ(compute("mod", i(7), i(-2)).as_int(), -1);
  EXPECT_EQ(compute("mod", d(-7.5), i(2)).as_double(), 0.5);
  EXPECT_EQ(compute("truediv", i(7), i(2)).as_double(), 3.5);
  EXPECT_EQ(compute("sym_max", i(7), i(2)).as_int(), 7);
  EXPECT_EQ(compute("sym_min", i(7), i(2)).as_int(), 2);
  EXPECT_EQ(compute("neg", i(7)).as_int(), -7);
  EXPECT_TRUE(compute("eq", i(2), d(2)).as_bool());
  EXPECT_TRUE(compute("gt", i(3), i(2)).as_bool());
  EXPECT_FALSE(compute("lt", i(3), i(2)).as_bool());
  EXPECT_TRUE(compute("ge", i(2), i(2)).as_bool());
  EXPECT_TRUE(compute("le", i(2), i(2)).as_bool());
  EXPECT_TRUE(compute("sym_not", Value::of_bool(false)).as_bool());
  EXPECT_EQ(compute("sym_float", i(3)).kind(), Value::Kind::kDouble);
}

TEST(PrimOps, RoundingIsPythons) {
  EXPECT_EQ(compute("round", d(0.5)).as_int(), 0);
  EXPECT_EQ(compute("round", d(1.5)).as_int(), 2);
  EXPECT_EQ(compute("round", d(-2.5)).as_int(), -2);
  EXPECT_EQ(compute("round", d(2.4)).as_int(), 2);
  EXPECT_EQ(compute("ceil", d(2.1)).as_int(), 3);
  EXPECT_EQ(compute("trunc", d(-2.9)).as_int(), -2);
  EXPECT_EQ(compute("sym_int", d(-2.9)).as_int(), -2);
  Value nan = d(std::numeric_limits<double>::quiet_NaN());
  Value out;
  EXPECT_EQ(run("executorch_prim::round", "Scalar", {&nan, &out}), Status::kInvalidArgument);
}

TEST(PrimOps, DivisionByZeroIsAnError) {
  for (const char* name : {"floordiv", "mod", "truediv"}) {
    Value a = i(1);
    Value b = i(0);
    Value out;
    MessageBuffer<64> message;
    EXPECT_EQ(run(std::string("executorch_prim::") + name, "Scalar", {&a, &b, &out}, &message),
              Status::kInvalidArgument);
    EXPECT_STREQ(message.text(), "division by zero");
  }
}

TEST(PrimOps, ChoosesOneOfTwo) {
  Value yes = Value::of_bool(true);
  Value a = i(1);
  Value b = d(2);
  Value out;
  EXPECT_EQ(run("executorch_prim::sym_ite", "Scalar", {&yes, &a, &b, &out}), Status::kOk);
  EXPECT_EQ(out.as_int(), 1);
}

TEST(PrimOps, ReadTensors) {
  int32_t data[] = {1, 2, 3, 4, 5, 6};
  const int32_t sizes[] = {2, 3};
  LocalTensor tensor(DType::kInt32, sizes, data, sizeof(data));
  Value self = Value::of_tensor(&*tensor);
  Value dim = i(-1);
  Value out;
  EXPECT_EQ(run("aten::sym_size", "int", {&self, &dim, &out}), Status::kOk);
  EXPECT_EQ(out.as_int(), 3);
  dim = i(2);
  EXPECT_EQ(run("aten::sym_size", "int", {&self, &dim, &out}), Status::kInvalidArgument);
  EXPECT_EQ(run("aten::sym_numel", "", {&self, &out}), Status::kOk);
  EXPECT_EQ(out.as_int(), 6);
  EXPECT_EQ(run("aten::_local_scalar_dense", "", {&self, &out}), Status::kInvalidArgument);
  BFloat16 half(1.5f);
  LocalTensor one(DType::kBFloat16, {}, &half, sizeof(half));
  self = Value::of_tensor(&*one);
  EXPECT_EQ(run("aten::_local_scalar_dense", "", {&self, &out}), Status::kOk);
  EXPECT_EQ(out.as_double(), 1.5);
}

TEST(PrimOps, CopyIndexGrowsTheOutput) {
  float out_data[6] = {};
  float piece_data[] = {1, 2};
  const int32_t out_sizes[] = {3, 2};
  const int32_t piece_sizes[] = {2};
  LocalTensor out(DType::kFloat32, out_sizes, out_data, sizeof(out_data));
  LocalTensor piece(DType::kFloat32, piece_sizes, piece_data, sizeof(piece_data));
  Value out_value = Value::of_tensor(&*out);
  Value piece_value = Value::of_tensor(&*piece);
  for (int64_t k = 0; k < 3; ++k) {
    Value index = i(k);
    EXPECT_EQ(run("executorch_prim::et_copy_index", "tensor", {&out_value, &piece_value, &index}),
              Status::kOk);
    EXPECT_EQ(out->size(0), k + 1);
    EXPECT_EQ(out_data[2 * k + 1], 2);
  }
  Value beyond = i(3);
  EXPECT_EQ(run("executorch_prim::et_copy_index", "tensor", {&out_value, &piece_value, &beyond}),
            Status::kInvalidArgument);
}

TEST(PrimOps, ViewSharesMemory) {
  float data[6] = {};
  const int32_t sizes[] = {2, 3};
  const int32_t flat[] = {6};
  LocalTensor self(DType::kFloat32, sizes, data, sizeof(data));
  LocalTensor out(DType::kFloat32, flat, nullptr, sizeof(data));
  Value self_value = Value::of_tensor(&*self);
  Value out_value = Value::of_tensor(&*out);
  Value minus_one = i(-1);
  Value* items[] = {&minus_one};
  int64_t ints[1];
  IntList list = {ints, items, 1};
  Value size = Value::of_int_list(&list);
  EXPECT_EQ(run("executorch_prim::et_view", "default", {&self_value, &size, &out_value}),
            Status::kOk);
  EXPECT_EQ(out->raw_data(), data);
  EXPECT_EQ(out->size(0), 6);
  minus_one = i(5);
  EXPECT_EQ(run("executorch_prim::et_view", "default", {&self_value, &size, &out_value}),
            Status::kInvalidArgument);
}

}  // namespace
}  // namespace cresset
