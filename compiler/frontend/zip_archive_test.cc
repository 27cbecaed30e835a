// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/zip_archive.h"

#include <gtest/gtest.h>

#include "compiler/frontend/zip_for_test.h"

namespace cresset::frontend {
namespace {

Expected<ZipArchive> open(const std::string& bytes) {
  return ZipArchive::open(own_bytes(bytes), "test.zip");
}

// The message of opening the archive, or else of reading its entry `name`.
std::string message(const ZipForTest& zip, const std::string& name = "a") {
  Expected<ZipArchive> archive = open(zip.bytes());
  if (!archive.ok()) {
    return archive.error().text;
  }
  const ZipEntry* entry = archive->find(name);
  if (entry == nullptr) {
    return "no entry";
  }
  Expected<SharedBytes> content = archive->read(*entry);
  return content.ok() ? "" : content.error().text;
}

TEST(ZipArchive, ReadsStoredEntriesWhereTheyLie) {
  const SharedBytes file =
      own_bytes(ZipForTest().add("top/a", "first").add("top/b", "").add("top/c", "third").bytes());
  Expected<ZipArchive> archive = ZipArchive::open(file, "test.zip");
  ASSERT_TRUE(archive.ok()) << archive.error().text;
  ASSERT_EQ(archive->entries().size(), 3u);
  const Expected<SharedBytes> third = archive->read(*archive->find("top/c"));
  ASSERT_TRUE(third.ok());
  EXPECT_EQ(third->text(), "third");
  EXPECT_GE(third->view.data(), file.view.data());
  EXPECT_LT(third->view.data(), file.view.data() + file.size());
  EXPECT_EQ(archive->read(*archive->find("top/b"))->size(), 0u);
  EXPECT_EQ(archive->find("top"), nullptr);
}

TEST(ZipArchive, UnpacksDeflatedEntries) {
  const std::string content(100000, 'x');
  Expected<ZipArchive> archive = open(ZipForTest().add({"a", content, true}).bytes());
  ASSERT_TRUE(archive.ok()) << archive.error().text;
  Expected<SharedBytes> read = archive->read(*archive->find("a"));
  ASSERT_TRUE(read.ok()) << read.error().text;
  EXPECT_EQ(read->text(), content);
}

TEST(ZipArchive, RefusesWhatIsUnsafe) {
  EXPECT_EQ(message(ZipForTest().add({"a", "x"})), "");
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 1})).find("encrypted"), std::string::npos);
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 0, 12})).find("method 12"),
            std::string::npos);
  EXPECT_NE(message(ZipForTest().add("a", "x").add("a", "y")).find("two entries"),
            std::string::npos);
  for (const char* name : {"/a", "../a", "a/../../b", "C:/a", "a\\b"}) {
    EXPECT_NE(message(ZipForTest().add(name, "x")).find("the name"), std::string::npos) << name;
  }
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 0, 0, 1})).find("checksum"),
            std::string::npos);
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 0, 0, 0, 1})).find("sizes"),
            std::string::npos);
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 0, 0, 0, 1000, 1000})).find("leaves"),
            std::string::npos);
  EXPECT_NE(message(ZipForTest().add({"a", "x", false, 0, 0, 0, 0, 0, "b"})).find("names"),
            std::string::npos);
}

TEST(ZipArchive, RefusesOverlappingEntries) {
  // Two directory entries for one place: same name in both headers, but the archive says it twice.
  ZipForTest::Entry second{"a", "x"};
  second.overlap = 30 + 1 + 1;
  EXPECT_NE(message(ZipForTest().add("a", "x").add(second)).find("overlap"), std::string::npos);
}

TEST(ZipArchive, RefusesBombs) {
  ZipForTest::Entry bomb{"a", std::string(1000, 'x'), true};
  bomb.size_change = 1u << 30;
  EXPECT_NE(message(ZipForTest().add(bomb)).find("claims to unpack"), std::string::npos);
  bomb.size_change = 1;
  EXPECT_NE(message(ZipForTest().add(bomb)).find("declared size"), std::string::npos);
  bomb.size_change = static_cast<uint32_t>(-1);
  EXPECT_NE(message(ZipForTest().add(bomb)).find("declared size"), std::string::npos);
}

TEST(ZipArchive, RefusesEveryTruncation) {
  const std::string whole =
      ZipForTest().add("top/a", "first").add({"top/b", "second", true}).bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(open(whole.substr(0, size)).ok()) << size;
  }
}

}  // namespace
}  // namespace cresset::frontend
