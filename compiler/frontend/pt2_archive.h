// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/zip_archive.h"

namespace cresset::frontend {

// A file of torch.export.save(), in either of its two layouts: what lies where, not yet what it
// means.
class Pt2Archive {
 public:
  // Errors: kAccessFailed (no such file), kNotSupported (a file of another kind, with the remedy),
  // kInvalidExternalData (damaged).
  static Expected<Pt2Archive> open(const std::string& path);
  // The same for a file in memory; `name` is what messages call it.
  static Expected<Pt2Archive> open(SharedBytes file, const std::string& name);

  // True for the layout that releases up to 2.7 write: no top folder, one program, everything
  // pickled.
  bool legacy() const { return legacy_; }
  bool big_endian() const { return big_endian_; }
  const std::string& name() const { return name_; }
  uint64_t size_bytes() const { return size_bytes_; }
  // Names of the programs in it, sorted; at least one. "model" where the writer was not told
  // another.
  const std::vector<std::string>& programs() const { return programs_; }

  // The JSON text of one of programs().
  Expected<SharedBytes> program_json(const std::string& program) const;

  // Whether there is a record of this name, and its content. Names are relative to the top folder.
  bool has(const std::string& record) const { return archive_.find(folder_ + record) != nullptr; }
  Expected<SharedBytes> read(const std::string& record) const;

 private:
  Error recognise();
  Error expect_text(const std::string& record, const char* wanted);

  ZipArchive archive_;
  std::string name_;
  std::string folder_;  // ends with a slash unless empty
  uint64_t size_bytes_ = 0;
  bool legacy_ = false;
  bool big_endian_ = false;
  std::vector<std::string> programs_;
};

}  // namespace cresset::frontend
