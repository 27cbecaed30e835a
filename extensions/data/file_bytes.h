// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/span.h"

namespace cresset::data {

// A file mapped read-only, or bytes on the heap that stand for one. Copies share the mapping, which
// lives as long as the last copy.
class FileBytes {
 public:
  FileBytes() = default;

  // Maps the regular file at `path`.
  static Expected<FileBytes> open(const std::string& path);
  // Takes `bytes` over.
  static FileBytes own(std::string bytes);
  static FileBytes own(std::vector<uint8_t> bytes);

  Span<const uint8_t> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  // Keeps bytes() alive.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  Span<const uint8_t> bytes_;
  std::shared_ptr<const void> owner_;
};

// Files that appear together: each is written under a temporary name beside its place, and only
// when all are does any replace what was there. A path that names a symbolic link writes what the
// link leads to. A device, a pipe or a standard stream of this process, which cannot be replaced,
// is written directly once the others are ready. What was not put in place leaves nothing behind.
class OutputFiles {
 public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();

  // `parts`, one after the other. The bytes outlive put_in_place().
  Error add(const std::string& path, std::vector<Span<const uint8_t>> parts);
  Error add(const std::string& path, const std::string& bytes);
  // Once, after the last add().
  Error put_in_place();

 private:
  struct File {
    std::string path;                        // what it replaces, or the sink's name
    std::string temporary;                   // empty for a sink
    int sink;                                // descriptor; -1: none
    std::vector<Span<const uint8_t>> parts;  // of a sink
  };
  std::vector<File> files_;
};

// One such file.
Error write_file(const std::string& path, std::vector<Span<const uint8_t>> parts);
Error write_file(const std::string& path, const std::string& bytes);

}  // namespace cresset::data
