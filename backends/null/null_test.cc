// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "backends/compilers.h"
#include "backends/registry.h"
#include "compiler/ir/parse.h"
#include "compiler/ir/print.h"
#include "compiler/partitioner/partition.h"

namespace cresset::backends::null {
namespace {

TEST(Null, TakesNothing) {
  const auto graph = *ir::parse_graph("graph forward(%x: f32[4]) {\n %r = relu(%x)\n return %r\n}");
  const std::string before = ir::print(*graph);
  const auto report = partitioner::partition(*graph, *find_compilers("null"));
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_EQ(ir::print(*graph), before);
  EXPECT_TRUE(report->delegates.empty());
  EXPECT_EQ(report->nodes.at(0).reason, "operator not supported by null");
}

TEST(Null, RunsNothing) {
  for (Backend* backend : enabled()) {
    if (std::string(backend->id()) == "NullBackend") {
      MessageBuffer<64> message;
      Arena arena;
      void* handle = nullptr;
      EXPECT_EQ(backend->init({"forward", nullptr, &arena, nullptr, &message}, {}, {}, &handle),
                Status::kDelegateInvalidCompatibility);
      return;
    }
  }
  FAIL() << "not enabled";
}

TEST(Registry, FindsBackendsByName) {
  EXPECT_EQ(find_compilers("none")->size(), 0u);
  const auto both = find_compilers("null,example");
  ASSERT_TRUE(both.ok()) << both.error().text;
  EXPECT_EQ(both->at(0)->name(), "null");
  EXPECT_EQ(both->at(1)->name(), "example");
  EXPECT_EQ(find_compilers("nobody").error().text,
            "no backend 'nobody'; this build has example, null, and none for no delegates");
  EXPECT_EQ(find_compilers("null,null").error().text, "backend 'null' is named twice");
  EXPECT_FALSE(find_compilers("").ok());
  EXPECT_FALSE(find_compilers("null,").ok());
}

}  // namespace
}  // namespace cresset::backends::null
