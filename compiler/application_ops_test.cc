// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/application_ops.h"

#include <gtest/gtest.h>

namespace cresset::compiler {
namespace {

TEST(ApplicationOps, ReadsRows) {
  const auto ops = ApplicationOps::parse(
      "// mine\n\nOP(\"my::scale\", \"\", \"out\", \"(Tensor self, float factor=2.0) -> "
      "Tensor\")\n",
      "f.def");
  ASSERT_TRUE(ops.ok()) << ops.error().text;
  ASSERT_EQ(ops->ops().size(), 1u);
  EXPECT_EQ(ops->ops()[0].name, "my::scale");
  EXPECT_EQ(ops->ops()[0].schema.args[1].default_text, "2.0");
}

TEST(ApplicationOps, NamesTheLineAtFault) {
  const char* kBad[][2] = {
      {"OP(\"my::scale\", \"\", \"out\")", "f.def:1: expected OP("},
      {"\nOP(\"my::scale\", \"\", \"out\", \"(Tenser x) -> Tensor\")",
       "f.def:2: the schema does not parse"},
      {"OP(\"scale\", \"\", \"out\", \"(Tensor x) -> Tensor\")",
       "f.def:1: 'scale' has no namespace"},
      {"OP(\"aten::add\", \"Tensor\", \"out\", \"(Tensor x) -> Tensor\")",
       "is an operator of Cresset's own"},
  };
  for (const auto& [text, message] : kBad) {
    const auto ops = ApplicationOps::parse(text, "f.def");
    ASSERT_FALSE(ops.ok());
    EXPECT_NE(ops.error().text.find(message), std::string::npos) << ops.error().text;
  }
}

}  // namespace
}  // namespace cresset::compiler
