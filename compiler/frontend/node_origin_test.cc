// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/node_origin.h"

#include <gtest/gtest.h>

namespace cresset::frontend {
namespace {

TEST(NodeOrigin, QuotesTheInnermostLineOfTheUser) {
  EXPECT_EQ(source_line("File \"model.py\", line 37, in forward\n    y = u(y)\n"
                        "  File \"torch/nn/modules/conv.py\", line 1161, in forward\n"
                        "    return F.conv_transpose2d("),
            "model.py:37, in forward: y = u(y)");
  EXPECT_EQ(source_line("  File \"/home/me/net.py\", line 4, in forward\n    return x + 1\n"
                        "  File \"<eval_with_key>.138\", line 13, in forward\n    cond = 1\n"),
            "/home/me/net.py:4, in forward: return x + 1");
  EXPECT_EQ(source_line("File \"/usr/lib/torch/nn/a.py\", line 9, in f\n    g()"),
            "/usr/lib/torch/nn/a.py:9, in f: g()");
  EXPECT_EQ(source_line("File \"a.py\", line 5"), "a.py:5");
  EXPECT_EQ(source_line(""), "");
  EXPECT_EQ(source_line("File \"a.py"), "");
}

TEST(NodeOrigin, FindsTheModulePath) {
  EXPECT_EQ(module_path("L__self__,,model.Llama;L__self___layers_1,layers.1,model.Block"),
            "layers.1");
  EXPECT_EQ(module_path("L__self__,,model.Llama"), "");
  EXPECT_EQ(module_path("a,b,c;L['self'].f[0, 1],f.x[2, 3],m.F[a;b]"), "f.x[2, 3]");
  EXPECT_EQ(module_path(""), "");
  EXPECT_EQ(module_path("]]],;(("), "");
}

}  // namespace
}  // namespace cresset::frontend
