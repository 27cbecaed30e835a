// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>

#include "core/message.h"
#include "kernels/portable/kernels.h"

namespace cresset::kernels::portable {
namespace {

Scalar whole(int64_t value) { return Scalar::of_int(value); }
Scalar real(double value) { return Scalar::of_double(value); }

class Number : public testing::Test {
 protected:
  int64_t as_int(Status status) const {
    EXPECT_EQ(status, Status::kOk);
    EXPECT_EQ(out_.kind(), Value::Kind::kInt);
    return out_.as_int();
  }
  double as_double(Status status) const {
    EXPECT_EQ(status, Status::kOk);
    EXPECT_EQ(out_.kind(), Value::Kind::kDouble);
    return out_.as_double();
  }
  bool as_bool(Status status) const {
    EXPECT_EQ(status, Status::kOk);
    EXPECT_EQ(out_.kind(), Value::Kind::kBool);
    return out_.as_bool();
  }

  Value out_;
  char text_[256] = {};
  Message message_{text_};
  KernelContext context_{&message_};
};

TEST_F(Number, IntegersStayIntegers) {
  EXPECT_EQ(as_int(prim_add(context_, whole(2), whole(3), out_)), 5);
  EXPECT_EQ(as_int(prim_add(context_, whole(INT64_MAX), whole(1), out_)), INT64_MIN);
  EXPECT_EQ(as_double(prim_sub(context_, whole(2), real(0.5), out_)), 1.5);
  EXPECT_EQ(as_int(prim_mul(context_, Scalar::of_bool(true), whole(7), out_)), 7);
  EXPECT_EQ(as_double(prim_truediv(context_, whole(7), whole(2), out_)), 3.5);
  EXPECT_EQ(as_int(prim_pow(context_, whole(3), whole(4), out_)), 81);
  EXPECT_EQ(as_double(prim_pow(context_, whole(2), whole(-1), out_)), 0.5);
  EXPECT_EQ(as_int(prim_neg(context_, whole(4), out_)), -4);
}

TEST_F(Number, DivisionRoundsDownAsInPython) {
  EXPECT_EQ(as_int(prim_floordiv(context_, whole(-7), whole(2), out_)), -4);
  EXPECT_EQ(as_int(prim_floordiv_int(context_, whole(7), whole(-2), out_)), -4);
  EXPECT_EQ(as_int(prim_mod(context_, whole(-7), whole(2), out_)), 1);
  EXPECT_EQ(as_int(prim_mod_int(context_, whole(7), whole(-2), out_)), -1);
  EXPECT_EQ(as_int(prim_floordiv(context_, whole(INT64_MIN), whole(-1), out_)), INT64_MIN);
  EXPECT_EQ(prim_floordiv(context_, whole(1), whole(0), out_), Status::kInvalidArgument);
  EXPECT_EQ(prim_mod(context_, whole(1), whole(0), out_), Status::kInvalidArgument);
  EXPECT_EQ(prim_truediv(context_, whole(1), real(0), out_), Status::kInvalidArgument);
}

TEST_F(Number, LargeIntegersCompareExactly) {
  EXPECT_TRUE(as_bool(prim_lt(context_, whole(INT64_MAX - 1), whole(INT64_MAX), out_)));
  EXPECT_FALSE(as_bool(prim_eq(context_, whole(INT64_MAX - 1), whole(INT64_MAX), out_)));
  EXPECT_TRUE(as_bool(prim_ge(context_, whole(2), real(2), out_)));
  EXPECT_TRUE(as_bool(prim_le(context_, whole(2), real(2), out_)));
  EXPECT_FALSE(as_bool(prim_gt(context_, whole(2), real(NAN), out_)));
  EXPECT_FALSE(as_bool(prim_le(context_, whole(2), real(NAN), out_)));
  EXPECT_TRUE(as_bool(prim_ne(context_, whole(2), real(NAN), out_)));
}

TEST_F(Number, RoundsToIntegersThatFit) {
  EXPECT_EQ(as_int(prim_round(context_, real(2.5), out_)), 2);
  EXPECT_EQ(as_int(prim_round(context_, real(-3.5), out_)), -4);
  EXPECT_EQ(as_int(prim_ceil(context_, real(-1.5), out_)), -1);
  EXPECT_EQ(as_int(prim_trunc(context_, real(-1.5), out_)), -1);
  EXPECT_EQ(as_int(prim_sym_int(context_, real(1.9), out_)), 1);
  EXPECT_EQ(prim_ceil(context_, real(1e19), out_), Status::kInvalidArgument);
  EXPECT_EQ(prim_sym_int(context_, real(NAN), out_), Status::kInvalidArgument);
  EXPECT_EQ(as_double(prim_sym_float(context_, whole(3), out_)), 3.0);
  EXPECT_EQ(as_double(prim_sqrt(context_, whole(9), out_)), 3.0);
}

TEST_F(Number, TruthValuesAndChoice) {
  const Scalar yes = Scalar::of_bool(true);
  const Scalar no = Scalar::of_bool(false);
  EXPECT_FALSE(as_bool(prim_and(context_, yes, no, out_)));
  EXPECT_TRUE(as_bool(prim_or(context_, yes, no, out_)));
  EXPECT_EQ(as_int(prim_and(context_, whole(6), whole(3), out_)), 2);
  EXPECT_TRUE(as_bool(prim_sym_not(context_, whole(0), out_)));
  EXPECT_EQ(as_int(prim_sym_ite(context_, no, whole(1), whole(2), out_)), 2);
  EXPECT_EQ(as_int(prim_sym_max(context_, whole(1), whole(2), out_)), 2);
  EXPECT_EQ(as_double(prim_sym_min(context_, whole(1), real(0.5), out_)), 0.5);
}

}  // namespace
}  // namespace cresset::kernels::portable
