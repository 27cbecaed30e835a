// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/frontend/bytes.h"

namespace cresset::frontend {

// One file inside a zip archive. Offsets count from the start of the archive.
struct ZipEntry {
  std::string name;
  uint64_t data_offset = 0;
  uint64_t stored_bytes = 0;  // in the archive
  uint64_t size_bytes = 0;    // after decompression
  uint32_t crc32 = 0;
  bool deflated = false;
};

// A read-only zip archive: its central directory, checked against the local headers.
//
// Why not a zip library: stored entries must be usable where they lie in the mapped file, so that
// weights are never copied, and no library tells that place. Everything that makes zip files risky
// is refused when the archive is opened: encryption, several disks, methods other than stored and
// deflate, duplicate or escaping names, entries that overlap or leave the file, sizes that
// disagree.
class ZipArchive {
 public:
  // `name` is what messages call the archive. Keeps `file` alive.
  // Errors: kInvalidExternalData with one line saying what is wrong and where.
  static Expected<ZipArchive> open(SharedBytes file, std::string name);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  // The entry with exactly this name, or null.
  const ZipEntry* find(std::string_view name) const;

  // The entry's content, CRC-32 checked. A stored entry is a view of the archive; a deflated one is
  // unpacked to the heap, never beyond its declared size.
  Expected<SharedBytes> read(const ZipEntry& entry) const;

  ZipArchive() = default;  // empty
  ZipArchive(ZipArchive&&) = default;
  ZipArchive& operator=(ZipArchive&&) = default;

 private:
  Error fail(const std::string& what) const;
  Error read_directory();
  Error read_entry(const uint8_t* header, const uint8_t* end, size_t* used);
  Error check_local_header(uint64_t header_offset, uint64_t directory_offset, ZipEntry* entry);
  Error check_overlap();

  struct Extent {
    uint64_t first, last;
    size_t entry;
  };

  SharedBytes file_;
  std::string name_;
  uint64_t directory_offset_ = 0;
  std::vector<ZipEntry> entries_;
  std::vector<Extent> extents_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace cresset::frontend
