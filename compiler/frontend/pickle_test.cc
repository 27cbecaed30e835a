// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/pickle.h"

#include <gtest/gtest.h>

#include <string>

namespace cresset::frontend {
namespace {

using std::string_literals::operator""s;

Expected<Pickle> parse(const std::string& stream) {
  return Pickle::parse(
      Span<const uint8_t>(reinterpret_cast<const uint8_t*>(stream.data()), stream.size()), "test");
}

std::string message(const std::string& stream) {
  Expected<Pickle> pickle = parse(stream);
  return pickle.ok() ? "" : pickle.error().text;
}

TEST(Pickle, BuildsPlainValues) {
  // pickle.dumps({"a": (1, -2, 300, 2**40, 0.5, None, True), "b": [[]]}, protocol=2)
  Expected<Pickle> pickle = parse(
      "\x80\x02}q\x00(X\x01\x00\x00\x00"
      "aq\x01(K\x01J\xfe\xff\xff\xffM\x2c\x01\x8a\x06\x00\x00\x00\x00\x00\x01G?"
      "\xe0\x00\x00\x00\x00\x00\x00N\x88tq\x02X\x01\x00\x00\x00"
      "bq\x03]q\x04]q\x05"
      "au."s);
  ASSERT_TRUE(pickle.ok()) << pickle.error().text;
  const PickleValue* a = pickle->root().get("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->kind, PickleKind::kTuple);
  ASSERT_EQ(a->items.size(), 7u);
  EXPECT_EQ(a->items[0]->integer, 1);
  EXPECT_EQ(a->items[1]->integer, -2);
  EXPECT_EQ(a->items[2]->integer, 300);
  EXPECT_EQ(a->items[3]->integer, int64_t{1} << 40);
  EXPECT_EQ(a->items[4]->real, 0.5);
  EXPECT_EQ(a->items[5]->kind, PickleKind::kNone);
  EXPECT_TRUE(a->items[6]->boolean);
  const PickleValue* b = pickle->root().get("b");
  ASSERT_NE(b, nullptr);
  ASSERT_EQ(b->kind, PickleKind::kList);
  ASSERT_EQ(b->items.size(), 1u);
  EXPECT_EQ(b->items[0]->kind, PickleKind::kList);
  EXPECT_EQ(pickle->root().get("c"), nullptr);
}

TEST(Pickle, BuildsTensors) {
  Expected<Pickle> pickle = parse(
      "\x80\x02"
      "ctorch._utils\n_rebuild_tensor_v2\n((U\x07storagectorch\nHalfStorage\nU\x01"
      "7U\x03"
      "cpuK\x0atQK\x02K\x03K\x01\x86K\x01K\x03\x86\x89}tR."s);
  ASSERT_TRUE(pickle.ok()) << pickle.error().text;
  const PickleValue& value = pickle->root();
  ASSERT_EQ(value.kind, PickleKind::kTensor);
  EXPECT_EQ(value.tensor->dtype, DType::kFloat16);
  EXPECT_EQ(value.tensor->offset_elems, 2);
  EXPECT_EQ(value.tensor->sizes, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(value.tensor->strides, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(value.tensor->storage->text, "7");
  EXPECT_EQ(value.tensor->storage->integer, 10);
}

TEST(Pickle, NeverCallsWhatIsNotData) {
  EXPECT_NE(message("\x80\x02"
                    "cposix\nsystem\n(X\x02\x00\x00\x00lstR."s)
                .find("posix.system, which is not plain data"),
            std::string::npos);
  EXPECT_NE(message("\x80\x04\x8c\x08"
                    "builtins\x8c\x04"
                    "eval\x93\x8c\x01"
                    "1\x85R."s)
                .find("builtins.eval"),
            std::string::npos);
  EXPECT_NE(message("\x80\x02"
                    "ctorch._utils\n_rebuild_qtensor\n)R."s)
                .find("quantized"),
            std::string::npos);
  EXPECT_NE(message("\x80\x02"
                    "ctorch._export.serde.serialize\n_reconstruct_fake_tensor\n)R."s)
                .find("fake weights"),
            std::string::npos);
  // INST and OBJ call as well.
  EXPECT_NE(message("(iposix\nsystem\n."s).find("instruction"), std::string::npos);
}

TEST(Pickle, SurvivesBrokenStreams) {
  for (const std::string& stream :
       {"."s, "R."s, "tq\x00."s, "h\x05."s, "]a."s, "K\x01u."s, "X\xff\xff\xff\xff"s, "}(K\x01u."s,
        "(K\x01"s, "c\n"s, "Nb."s, "K\x01Q."s, "\x80\x09N."s, "\x8a\xff"s, "K\x01(0."s}) {
    EXPECT_NE(message(stream), "");
  }
  // A list that holds itself.
  Expected<Pickle> cycle = parse(
      "]q\x00h\x00"
      "a."s);
  ASSERT_TRUE(cycle.ok());
  EXPECT_EQ(cycle->root().items[0], &cycle->root());
}

}  // namespace
}  // namespace cresset::frontend
