// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

#include "ops/check_args.h"
#include "ops/infer_rows.h"
#include "ops/kernel_fn.h"
#include "ops/kernel_table.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/runtime_infer.h"

namespace cresset::ops {
namespace {

static_assert(std::is_same_v<KernelFn<OpId::add_tensor>, Status(KernelContext&, const Tensor&,
                                                                const Tensor&, Scalar, Tensor&)>);
static_assert(
    std::is_same_v<KernelFn<OpId::full>, Status(KernelContext&, IntSpan, Scalar, Tensor&)>);
static_assert(std::is_same_v<KernelFn<OpId::index_tensor>,
                             Status(KernelContext&, const Tensor&, TensorSpan, Tensor&)>);
static_assert(
    std::is_same_v<KernelFn<OpId::copy_>, Status(KernelContext&, Tensor&, const Tensor&, bool)>);

TEST(Table, EverySchemaParses) {
  for (const OpInfo& info : all_ops()) {
    EXPECT_TRUE(info.schema.valid) << info.name << "." << info.overload;
  }
}

TEST(Table, RowsAreSortedAndNamesAreUnique) {
  const Span<const OpInfo> ops = all_ops();
  for (size_t i = 1; i < static_cast<size_t>(OpId::kCount); ++i) {
    EXPECT_LT(ops[i - 1].id, ops[i].id);
  }
  for (const OpInfo& info : ops) {
    EXPECT_EQ(find_op(info.name, info.overload), &info) << info.id;
    EXPECT_EQ(find_op_id(info.id), &info);
    if (!info.composite) {
      EXPECT_EQ(find_out_op(info.name, info.out), &info) << info.id;
    }
  }
}

TEST(Schema, ReadsDefaultsOptionalsAndLists) {
  const Schema s = parse_schema(
      "(Tensor self, int[2] k, Tensor?[] i=[], *, str? mode='a', float x=1e-05) -> (Tensor a, "
      "Tensor(a!))");
  ASSERT_TRUE(s.valid);
  EXPECT_EQ(s.arg_count, 5);
  EXPECT_EQ(s.args[1].list_length, 2);
  EXPECT_TRUE(s.args[2].optional_items);
  EXPECT_EQ(s.args[2].default_text, "[]");
  EXPECT_TRUE(s.args[3].keyword_only && s.args[3].optional);
  EXPECT_EQ(s.args[4].default_text, "1e-05");
  EXPECT_TRUE(s.returns[1].writes);
  EXPECT_FALSE(parse_schema("(Tensor self").valid);
  EXPECT_FALSE(parse_schema("(Tenser self) -> Tensor").valid);
}

TEST(Promotion, NumbersAndZeroDimTensorsOnlyRaiseTheCategory) {
  EXPECT_EQ(ResultType().add(DType::kFloat16, 2).add(Scalar::of_double(1.5)).get(),
            DType::kFloat16);
  EXPECT_EQ(ResultType().add(DType::kInt32, 2).add(Scalar::of_double(1.5)).get(), DType::kFloat32);
  EXPECT_EQ(ResultType().add(DType::kInt32, 2).add(DType::kFloat64, 0).get(), DType::kFloat64);
  EXPECT_EQ(ResultType().add(DType::kUInt8, 1).add(DType::kInt64, 0).get(), DType::kUInt8);
  EXPECT_EQ(ResultType().add(DType::kBool, 1).add(Scalar::of_int(2)).get(), DType::kInt64);
}

Status write_first(KernelContext&, const Tensor& self, const Tensor& other, Scalar alpha,
                   Tensor& out) {
  out.mutable_data<float>()[0] = self.data<float>()[0] + other.data<float>()[0] * alpha.to<float>();
  return Status::kOk;
}

TEST(Kernel, BoxedCallInfersAndComputes) {
  const int32_t sizes[] = {1, 1};
  float a = 1, b = 2, c = 0;
  LocalTensor self(DType::kFloat32, sizes, &a, sizeof(a));
  LocalTensor other(DType::kFloat32, sizes, &b, sizeof(b));
  LocalTensor out(DType::kFloat32, sizes, &c, sizeof(c));
  Value values[] = {Value::of_tensor(&*self), Value::of_tensor(&*other), Value::of_int(10),
                    Value::of_tensor(&*out)};
  Value* args[] = {&values[0], &values[1], &values[2], &values[3]};
  const Kernel kernel = {"aten::add",
                         "out",
                         Boxed<OpId::add_tensor, write_first>::call,
                         infer_rows::add_tensor,
                         nullptr,
                         Row<OpId::add_tensor>::kForm.codes,
                         Row<OpId::add_tensor>::kForm.count,
                         Row<OpId::add_tensor>::kForm.out_count,
                         0};
  MessageBuffer<128> message;
  ASSERT_EQ(check_args(kernel, args, 4, &message), Status::kOk);
  RuntimeInfer infer(args, kernel.arg_count, kernel.out_count, &message);
  ASSERT_EQ(kernel.infer(infer), Status::kOk) << message.text();
  KernelContext context(&message);
  ASSERT_EQ(kernel.call(context, args), Status::kOk);
  EXPECT_EQ(c, 21.0f);

  values[2] = Value();
  EXPECT_EQ(check_args(kernel, args, 4, &message), Status::kInvalidArgument);
  EXPECT_STREQ(message.text(), "aten::add.out: argument 2 is a none, expected number");
}

TEST(Infer, BroadcastsWithinCapacityAndNamesTheDimension) {
  MessageBuffer<128> message;
  float x[6], y[4], z[6];
  const int32_t a[] = {2, 3}, b[] = {2, 2}, r[] = {1, 3};
  LocalTensor left(DType::kFloat32, a, x, sizeof(x));
  LocalTensor right(DType::kFloat32, b, y, sizeof(y));
  LocalTensor out(DType::kFloat32, r, z, sizeof(z));
  Value values[] = {Value::of_tensor(&*left), Value::of_tensor(&*right), Value::of_int(1),
                    Value::of_tensor(&*out)};
  Value* args[] = {&values[0], &values[1], &values[2], &values[3]};
  RuntimeInfer infer(args, 4, 1, &message);
  EXPECT_EQ(infer_rows::add_tensor(infer), Status::kInvalidArgument);
  EXPECT_STREQ(message.text(), "sizes 3 and 2 at dimension 1 do not broadcast");
  values[1] = values[0];
  EXPECT_EQ(infer_rows::add_tensor(infer), Status::kOk);
  EXPECT_EQ(out->size(0), 2);
}

}  // namespace
}  // namespace cresset::ops
