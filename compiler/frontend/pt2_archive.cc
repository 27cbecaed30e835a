// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/pt2_archive.h"

#include <algorithm>

#include "compiler/frontend/foreign_file.h"
#include "compiler/frontend/mapped_file.h"

namespace cresset::frontend {

namespace {

constexpr char kLegacyProgram[] = "serialized_exported_program.json";
// The largest JSON text that is read; far above any real program.
constexpr uint64_t kMaxJsonBytes = uint64_t{1} << 30;

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

}  // namespace

Expected<Pt2Archive> Pt2Archive::open(const std::string& path) {
  Expected<SharedBytes> file = map_file(path);
  if (!file.ok()) {
    return file.error();
  }
  return open(std::move(*file), path);
}

Expected<Pt2Archive> Pt2Archive::open(SharedBytes file, const std::string& name) {
  if (file.size() < 2 || file.text().substr(0, 2) != "PK") {
    return foreign_file_error(name, file);
  }
  const uint64_t size_bytes = file.size();
  Expected<ZipArchive> zip = ZipArchive::open(std::move(file), name);
  if (!zip.ok()) {
    return zip.error();
  }
  Pt2Archive archive;
  archive.archive_ = std::move(*zip);
  archive.name_ = name;
  archive.size_bytes_ = size_bytes;
  if (Error error = archive.recognise(); !error.ok()) {
    return error;
  }
  return archive;
}

Error Pt2Archive::expect_text(const std::string& record, const char* wanted) {
  if (!has(record)) {
    return {};
  }
  Expected<SharedBytes> text = read(record);
  if (!text.ok()) {
    return text.error();
  }
  const std::string got = trimmed(text->text().substr(0, 64));
  if (got != wanted) {
    return {Status::kNotSupported, name_ + ": " + record + " is '" + got + "', not '" + wanted +
                                       "': written by a release that is not known yet"};
  }
  return {};
}

Error Pt2Archive::recognise() {
  if (!archive_.entries().empty()) {
    const std::string& first = archive_.entries().front().name;
    folder_ = first.substr(0, first.find('/') + 1);
  }
  if (has("archive_format")) {
    if (Error error = expect_text("archive_format", "pt2"); !error.ok()) {
      return error;
    }
    if (Error error = expect_text("archive_version", "0"); !error.ok()) {
      return error;
    }
    const std::string prefix = folder_ + "models/";
    for (const ZipEntry& entry : archive_.entries()) {
      const std::string_view name = entry.name;
      if (name.size() > prefix.size() + 5 && name.substr(0, prefix.size()) == prefix &&
          name.substr(name.size() - 5) == ".json") {
        programs_.emplace_back(name.substr(prefix.size(), name.size() - prefix.size() - 5));
      }
    }
    std::sort(programs_.begin(), programs_.end());
  } else if (archive_.find(kLegacyProgram) != nullptr) {
    folder_.clear();
    legacy_ = true;
    programs_.emplace_back("model");
  }
  if (programs_.empty()) {
    return foreign_archive_error(name_, archive_, folder_);
  }
  if (has("byteorder")) {
    Expected<SharedBytes> text = read("byteorder");
    if (!text.ok()) {
      return text.error();
    }
    const std::string order = trimmed(text->text().substr(0, 64));
    if (order != "little" && order != "big") {
      return {Status::kInvalidExternalData, name_ + ": unknown byte order '" + order + "'"};
    }
    big_endian_ = order == "big";
  }
  return {};
}

Expected<SharedBytes> Pt2Archive::program_json(const std::string& program) const {
  return read(legacy_ ? kLegacyProgram : "models/" + program + ".json");
}

Expected<SharedBytes> Pt2Archive::read(const std::string& record) const {
  const ZipEntry* entry = archive_.find(folder_ + record);
  if (entry == nullptr) {
    return Error{Status::kInvalidExternalData, name_ + ": the record " + record + " is missing"};
  }
  const bool json = record.size() > 5 && record.compare(record.size() - 5, 5, ".json") == 0;
  if (json && entry->size_bytes > kMaxJsonBytes) {
    return Error{Status::kOutOfResources,
                 name_ + ": " + record + " has " + std::to_string(entry->size_bytes) + " bytes"};
  }
  return archive_.read(*entry);
}

}  // namespace cresset::frontend
