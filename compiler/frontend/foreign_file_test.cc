// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/foreign_file.h"

#include <gtest/gtest.h>

#include "compiler/frontend/pt2_archive.h"
#include "compiler/frontend/zip_for_test.h"

namespace cresset::frontend {
namespace {

using std::string_literals::operator""s;

std::string message(const std::string& bytes) {
  Expected<Pt2Archive> archive = Pt2Archive::open(own_bytes(bytes), "file");
  return archive.ok() ? "opened" : archive.error().text;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ForeignFile, NamesTheKindAndShowsTheExport) {
  const struct {
    const char* what;
    std::string bytes;
  } kCases[] = {
      {"TorchScript", ZipForTest().add("m/data.pkl", ".").add("m/code/a.py", "").bytes()},
      {"TorchScript", ZipForTest().add("m/data.pkl", ".").add("m/constants.pkl", ".").bytes()},
      {"checkpoint", ZipForTest().add("m/data.pkl", ".").add("m/data/0", "").bytes()},
      {"checkpoint", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.rest"s},
      {"pickle", "\x80\x04\x95rest"s},
      {"AOTInductor", ZipForTest()
                          .add("m/archive_format", "pt2")
                          .add("m/data/aotinductor/model/model.so", "")
                          .bytes()},
      {"ONNX",
       "\x08\x08\x12\x07pytorch\x1a\x05"s
       "2.1.0"},
      {"TensorFlow Lite", "\x1c\0\0\0TFL3rest"s},
      {"Keras", ZipForTest().add("config.json", "{}").add("model.weights.h5", "").bytes()},
      {"GGUF", "GGUF\x03\0\0\0"s},
      {"safetensors", "\x02\0\0\0\0\0\0\0{\"a\":1}"s},
      {"not a torch.export archive", "hello, world"},
      {"not one of torch.export", ZipForTest().add("readme.txt", "hi").bytes()},
  };
  for (const auto& test : kCases) {
    const std::string text = message(test.bytes);
    EXPECT_TRUE(mentions(text, test.what)) << text;
    EXPECT_TRUE(mentions(text, "torch.export.export(model.eval()")) << text;
    EXPECT_TRUE(mentions(text, "torch.export.save(")) << text;
  }
}

TEST(ForeignFile, SaysWhatElseIsWrong) {
  EXPECT_EQ(message(""), "file is empty");
  EXPECT_TRUE(mentions(message("\x24\0\0\0ET12rest"s), "compiled program already"));
  EXPECT_TRUE(mentions(message("PK"), "damaged zip"));
  EXPECT_TRUE(mentions(message(ZipForTest()
                                   .add("m/archive_format", "pt2")
                                   .add("m/archive_version", "1")
                                   .add("m/models/model.json", "{}")
                                   .bytes()),
                       "not '0'"));
  const Expected<Pt2Archive> missing = Pt2Archive::open(std::string("/nonexistent/model.pt2"));
  ASSERT_FALSE(missing.ok());
}

TEST(Pt2Archive, ListsPrograms) {
  Expected<Pt2Archive> archive =
      Pt2Archive::open(own_bytes(ZipForTest()
                                     .add("net.v1/archive_format", "pt2")
                                     .add("net.v1/models/decode.json", "{}")
                                     .add("net.v1/byteorder", "big")
                                     .add("net.v1/models/a.json", "{}")
                                     .bytes()),
                       "file");
  ASSERT_TRUE(archive.ok()) << archive.error().text;
  EXPECT_EQ(archive->programs(), (std::vector<std::string>{"a", "decode"}));
  EXPECT_TRUE(archive->big_endian());
  EXPECT_FALSE(archive->legacy());
  EXPECT_EQ(archive->program_json("a")->text(), "{}");
}

}  // namespace
}  // namespace cresset::frontend
