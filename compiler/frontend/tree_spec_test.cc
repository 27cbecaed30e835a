// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/tree_spec.h"

#include <gtest/gtest.h>

namespace cresset::frontend {
namespace {

constexpr char kLeaf[] = R"({"type": null, "context": null, "children_spec": []})";

std::string node(const std::string& type, const std::string& context, const std::string& children) {
  return R"({"type": ")" + type + R"(", "context": )" + context + R"(, "children_spec": [)" +
         children + "]}";
}

TEST(TreeSpec, NamesInputs) {
  const std::string leaf = kLeaf;
  const std::string batch =
      node("builtins.dict", R"("[\"image\", \"not a name\"]")", leaf + ", " + leaf);
  const std::string pair = node("builtins.list", R"("null")", leaf + ", " + leaf);
  const std::string spec =
      "[1, " +
      node("builtins.tuple", R"("null")",
           node("builtins.tuple", R"("null")", leaf + "," + batch + "," + pair) + "," +
               node("builtins.dict", R"("[\"mask\"]")", leaf)) +
      "]";
  const Expected<std::vector<std::string>> names = input_leaf_names(spec, {"x", "batch"});
  ASSERT_TRUE(names.ok()) << names.error().text;
  EXPECT_EQ(*names, (std::vector<std::string>{"x", "batch.image", "batch[1]", "arg2[0]", "arg2[1]",
                                              "mask"}));
}

TEST(TreeSpec, NamesOutputs) {
  const std::string leaf = kLeaf;
  EXPECT_EQ(*output_leaf_names("[1, " + leaf + "]"), (std::vector<std::string>{"output"}));
  const std::string spec =
      "[1, " +
      node("builtins.tuple", R"("null")",
           leaf + "," + node("collections.OrderedDict", R"("[\"out\"]")", leaf) + "," +
               node("my.Thing", R"({"any": 1})", leaf)) +
      "]";
  EXPECT_EQ(*output_leaf_names(spec),
            (std::vector<std::string>{"output[0]", "output[1].out", "output[2][0]"}));
}

TEST(TreeSpec, RefusesOtherThings) {
  EXPECT_FALSE(output_leaf_names("[2, {}]").ok());
  EXPECT_FALSE(output_leaf_names("[1, 5]").ok());
  EXPECT_FALSE(output_leaf_names("").ok());
  std::string deep = kLeaf;
  for (int i = 0; i < 1000; ++i) {
    deep = node("builtins.tuple", "null", deep);
  }
  EXPECT_FALSE(output_leaf_names("[1, " + deep + "]").ok());
}

}  // namespace
}  // namespace cresset::frontend
