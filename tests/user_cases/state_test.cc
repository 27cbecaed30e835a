// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/user_cases/compiled.h"

// Aliases, branches, state, and indices of the wrong kind.

namespace cresset::tests {
namespace {

using Numbers = std::vector<double>;

TEST(UserCases, U37OutputsThatAreInputsOrEachOther) {
  Compiled program(R"(graph forward(%x: f32[4]) {
    %a = add_scalar(%x, 1)
    %b = clone(%a)
    %c = mul_scalar(%x, 10)
    %d = sub_scalar(%b, 1)
    return %a, %b, %c, %d, %x, %a
  })");
  const Values out = program.run({iota({4})});
  ASSERT_EQ(program.error(), "");
  ASSERT_EQ(out.size(), 6u);
  for (const size_t same : {0, 1, 5}) {
    EXPECT_EQ(numbers(out[same]), (Numbers{1, 2, 3, 4}));
  }
  EXPECT_EQ(numbers(out[2]), (Numbers{0, 10, 20, 30}));
  EXPECT_EQ(numbers(out[3]), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(numbers(out[4]), (Numbers{0, 1, 2, 3}));
}

TEST(UserCases, U37AnInputIsOverwrittenAfterItWasRead) {
  Compiled program(R"(graph forward(%x: i64[4, 6], %src: i64[4, 6]) {
    %part = slice_copy_tensor(%src, 0, 1, 3)
    %y = slice_scatter(%x, %part, 0, 1, 3)
    %z = mul_scalar(%x, 0)
    update %x = %z
    return %y
  })");
  const Values out =
      program.run({iota({4, 6}, 0, 1, DType::kInt64), iota({4, 6}, -12, 1, DType::kInt64)});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(sum(out[0]), 132);
  EXPECT_EQ(weighted_sum(out[0]), 2800);
}

TEST(UserCases, U38BranchesThatFollowAndHoldEachOther) {
  Compiled program(R"(graph forward(%p: bool[], %q: bool[], %x: f32[4]) {
    %r1 = hop_cond(%p, graph yes(%a: f32[4]) {
      %y = mul_scalar(%a, 2)
      return %y
    }, graph no(%a: f32[4]) {
      %y = mul_scalar(%a, 3)
      return %y
    }, [%x]) : f32[4]
    %r2 = hop_cond(%p, graph yes(%a: f32[4]) {
      %y = add_scalar(%a, 1)
      return %y
    }, graph no(%a: f32[4]) {
      %y = sub_scalar(%a, 1)
      return %y
    }, [%r1]) : f32[4]
    %r3 = hop_cond(%p, graph yes(%a: f32[4], %c: bool[]) {
      %z = hop_cond(%c, graph yes(%a: f32[4]) {
        %y = add_scalar(%a, 100)
        return %y
      }, graph no(%a: f32[4]) {
        %y = add_scalar(%a, 200)
        return %y
      }, [%a]) : f32[4]
      return %z
    }, graph no(%a: f32[4], %c: bool[]) {
      %y = add_scalar(%a, 300)
      return %y
    }, [%x, %q]) : f32[4]
    %s = add_tensor(%r1, %r2)
    return %r1, %r2, %r3, %s
  })");
  for (int round = 0; round < 2; ++round) {
    Values out =
        program.run({tensor({}, {1}, DType::kBool), tensor({}, {0}, DType::kBool), iota({4}, 1)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{2, 4, 6, 8}));
    EXPECT_EQ(numbers(out[1]), (Numbers{3, 5, 7, 9}));
    EXPECT_EQ(numbers(out[2]), (Numbers{201, 202, 203, 204}));
    EXPECT_EQ(numbers(out[3]), (Numbers{5, 9, 13, 17}));
    out = program.run({tensor({}, {0}, DType::kBool), tensor({}, {1}, DType::kBool), iota({4}, 1)});
    ASSERT_EQ(program.error(), "");
    EXPECT_EQ(numbers(out[0]), (Numbers{3, 6, 9, 12}));
    EXPECT_EQ(numbers(out[1]), (Numbers{2, 5, 8, 11}));
    EXPECT_EQ(numbers(out[2]), (Numbers{301, 302, 303, 304}));
    EXPECT_EQ(numbers(out[3]), (Numbers{5, 11, 17, 23}));
  }
}

TEST(UserCases, U47IndicesOutsideOfTheirRange) {
  Compiled embedding(R"(graph forward(%w: f32[3, 2], %i: i64[2]) {
    %y = embedding(%w, %i)
    return %y
  })");
  const data::HostValue weight = iota({3, 2});
  const auto indices = [](double a, double b) { return tensor({2}, {a, b}, DType::kInt64); };
  EXPECT_EQ(numbers(embedding.run({weight, indices(0, 2)})[0]), (Numbers{0, 1, 4, 5}));
  for (const double wrong : {3.0, -1.0, 4611686018427387904.0}) {
    embedding.run({weight, indices(0, wrong)});
    EXPECT_TRUE(says(embedding.error(), "embedding"));
    EXPECT_TRUE(says(embedding.error(), std::to_string(static_cast<int64_t>(wrong))));
    EXPECT_TRUE(says(embedding.error(), "[0, 2]"));
  }
  Compiled gather(R"(graph forward(%x: f32[3], %i: i64[1]) {
    %y = gather(%x, 0, %i)
    return %y
  })");
  gather.run({iota({3}), tensor({1}, {-1}, DType::kInt64)});
  EXPECT_TRUE(says(gather.error(), "gather"));
  EXPECT_TRUE(says(gather.error(), "-1"));

  Compiled index(R"(graph forward(%x: f32[5], %i: i64[2]) {
    %y = index_tensor(%x, [%i])
    return %y
  })");
  EXPECT_EQ(numbers(index.run({iota({5}), indices(-1, 0)})[0]), (Numbers{4, 0}));
  index.run({iota({5}), indices(0, 5)});
  EXPECT_TRUE(says(index.error(), "index"));
  EXPECT_TRUE(says(index.error(), "5"));
}

TEST(UserCases, U56ARefusedWriteLeavesTheCache) {
  Compiled program(R"(graph forward(%pos: i64[1], %k: f32[1, 1, 2]) {
    %cache = buffer "cache" fill(1) : f32[1, 4, 2]
    %new = index_put(%cache, [None, %pos], %k)
    update %cache = %new
    return %new
  })");
  const auto at = [](double pos) { return tensor({1}, {pos}, DType::kInt64); };
  const data::HostValue k = iota({1, 1, 2}, 7);
  Values out = program.run({at(1), k});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{1, 1, 7, 8, 1, 1, 1, 1}));
  out = program.run({at(3), k});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{1, 1, 7, 8, 1, 1, 7, 8}));
  program.run({at(4), k});
  EXPECT_TRUE(says(program.error(), "4"));
  out = program.run({at(0), k});
  ASSERT_EQ(program.error(), "");
  EXPECT_EQ(numbers(out[0]), (Numbers{7, 8, 7, 8, 1, 1, 7, 8}));
}

TEST(UserCases, U57StateLastsUntilTheProgramIsLoadedAgain) {
  Compiled program(R"(graph forward(%x: f32[4]) {
    %buf = buffer "buf" fill(1) : f32[4]
    %new = add_tensor(%buf, %x)
    update %buf = %new
    return %new
  })");
  const data::HostValue one = iota({4}, 1, 0);
  for (const double want : {2.0, 3.0, 4.0}) {
    EXPECT_EQ(numbers(program.run({one})[0]), Numbers(4, want));
  }
  program.reload();
  EXPECT_EQ(numbers(program.run({one})[0]), Numbers(4, 2.0));
}

}  // namespace
}  // namespace cresset::tests
