// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged archives of every layout: an error in one line or a right import, never a crash or a
// hang.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "compiler/frontend/corpus_for_test.h"
#include "compiler/frontend/import.h"
#include "compiler/frontend/zip_archive.h"
#include "compiler/frontend/zip_for_test.h"

namespace cresset::frontend {
namespace {

constexpr const char* kFiles[] = {
    "models/cond_branch/model.pt2",          // raw weights, control flow
    "models/cond_branch_torch28/model.pt2",  // one pickled file a dictionary
    "models/cond_branch_torch26/model.pt2",  // legacy
    "executorch/ao_8da4w/model.pt2",         // pickled tensor subclasses
};

// Numbers that look random and are the same in every run.
class Sequence {
 public:
  uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  size_t below(size_t limit) { return static_cast<size_t>(next() % limit); }

 private:
  uint64_t state_ = 20240229;
};

// Imports the bytes; what is wrong must be said in one line (two for a list of missing operators).
void import_damaged(std::string bytes, const std::string& what) {
  const auto start = std::chrono::steady_clock::now();
  ir::Expected<ImportedProgram> program = import_program_bytes(std::move(bytes), "damaged.pt2");
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took, std::chrono::seconds(5)) << what;
  if (!program.ok()) {
    const ir::Error& error = program.error();
    EXPECT_NE(error.status, Status::kOk) << what;
    EXPECT_NE(error.status, Status::kInternal) << what << ": " << error.text;
    EXPECT_FALSE(error.text.empty()) << what;
    if (error.status == Status::kInvalidExternalData) {
      EXPECT_EQ(error.text.find('\n'), std::string::npos) << what << ": " << error.text;
    }
    EXPECT_LT(error.text.size(), 4000u) << what;
  }
}

TEST(Damage, TruncatedFiles) {
  for (const char* file : kFiles) {
    const std::string good = corpus_file(file);
    ASSERT_TRUE(import_program_bytes(good, file).ok());
    for (size_t i = 0; i < 300; ++i) {
      const size_t size = good.size() * i / 300;
      ir::Expected<ImportedProgram> program =
          import_program_bytes(good.substr(0, size), "damaged.pt2");
      ASSERT_FALSE(program.ok()) << file << " cut to " << size;
    }
    for (size_t cut = 1; cut < 120; ++cut) {
      import_damaged(good.substr(0, good.size() - cut), std::string(file) + " short");
    }
  }
}

TEST(Damage, ChangedBytesAnywhere) {
  Sequence sequence;
  for (const char* file : kFiles) {
    const std::string good = corpus_file(file);
    for (int i = 0; i < 600; ++i) {
      // Half of the changes hit the directory at the end, which no checksum protects.
      const size_t at = i % 2 == 0 ? sequence.below(good.size())
                                   : good.size() - 1 - sequence.below(good.size() / 8);
      for (const int value : {0x00, 0xff, static_cast<uint8_t>(good[at]) ^ 0x80}) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(value);
        import_damaged(std::move(bytes), std::string(file) + " byte " + std::to_string(at) + "=" +
                                             std::to_string(value));
      }
    }
  }
}

// The archive with each record passed through `change`, checksums made right.
std::string rebuilt(const std::string& archive,
                    const std::function<std::string(const std::string&, std::string)>& change) {
  ir::Expected<ZipArchive> zip = ZipArchive::open(own_bytes(archive), "good");
  EXPECT_TRUE(zip.ok()) << zip.error().text;
  ZipForTest out;
  for (const ZipEntry& entry : zip->entries()) {
    ir::Expected<SharedBytes> content = zip->read(entry);
    EXPECT_TRUE(content.ok()) << content.error().text;
    out.add(entry.name, change(entry.name, std::string(content->text())));
  }
  return out.bytes();
}

std::string damaged_text(std::string text, Sequence* sequence) {
  if (text.empty()) {
    return text;
  }
  switch (sequence->below(4)) {
    case 0:
      text[sequence->below(text.size())] = static_cast<char>(sequence->next());
      break;
    case 1: {  // other digits
      const size_t at = text.find_first_of("0123456789", sequence->below(text.size()));
      if (at != std::string::npos) {
        text.replace(at, 1, sequence->below(2) == 0 ? "-1" : "9223372036854775807");
      }
      break;
    }
    case 2: {  // a piece is missing
      const size_t at = sequence->below(text.size());
      text.erase(at, 1 + sequence->below(40));
      break;
    }
    default: {  // a piece comes twice
      const size_t at = sequence->below(text.size());
      text.insert(at, text.substr(at, 1 + sequence->below(40)));
      break;
    }
  }
  return text;
}

// Behind right checksums: the program, the lists of weights, pickles inside archives inside
// archives.
TEST(Damage, ChangedRecords) {
  Sequence sequence;
  for (const char* file : kFiles) {
    const std::string good = corpus_file(file);
    import_damaged(rebuilt(good, [](const std::string&, std::string text) { return text; }), file);
    for (int i = 0; i < 500; ++i) {
      const auto damage = [&](const std::string& name, std::string text) {
        const bool nested = text.starts_with("PK") && text.size() > 22;
        if (nested && sequence.below(2) == 0) {
          return rebuilt(text, [&](const std::string& inner, std::string content) {
            return inner.ends_with("data.pkl") ? damaged_text(content, &sequence) : content;
          });
        }
        const bool wanted = name.ends_with(".json") || name.ends_with(".pt");
        return wanted && sequence.below(2) == 0 ? damaged_text(text, &sequence) : text;
      };
      import_damaged(rebuilt(good, damage), std::string(file) + " round " + std::to_string(i));
    }
  }
}

}  // namespace
}  // namespace cresset::frontend
