// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cresset::frontend {

// Writes small zip archives for tests, right ones and wrong ones.
class ZipForTest {
 public:
  struct Entry {
    std::string name;
    std::string content;
    bool deflate = false;
    uint16_t flags = 0;
    uint16_t method = 0;         // 0: by `deflate`
    uint32_t crc_change = 0;     // added to the right one
    uint32_t stored_change = 0;  // added to the stored size in both headers
    uint32_t size_change = 0;    // added to the size in both headers
    std::string local_name;      // instead of `name` in the local header
    int64_t overlap = 0;         // bytes by which the directory points too early
  };

  ZipForTest& add(std::string name, std::string content) {
    entries_.push_back({std::move(name), std::move(content)});
    return *this;
  }
  ZipForTest& add(Entry entry) {
    entries_.push_back(std::move(entry));
    return *this;
  }

  std::string bytes() const {
    std::string file;
    std::string directory;
    for (const Entry& entry : entries_) {
      const std::string stored = entry.deflate ? deflated(entry.content) : entry.content;
      const uint32_t crc =
          entry.crc_change +
          static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                                      static_cast<uInt>(entry.content.size())));
      std::string sizes;
      put(&sizes, 2, entry.flags);
      put(&sizes, 2, entry.method != 0 ? entry.method : entry.deflate ? 8 : 0);
      put(&sizes, 4, 0);
      put(&sizes, 4, crc);
      put(&sizes, 4, static_cast<uint32_t>(stored.size()) + entry.stored_change);
      put(&sizes, 4, static_cast<uint32_t>(entry.content.size()) + entry.size_change);
      const int64_t offset = static_cast<int64_t>(file.size()) - entry.overlap;
      const std::string& local = entry.local_name.empty() ? entry.name : entry.local_name;
      file += "PK\x03\x04";
      put(&file, 2, 20);
      file += sizes;
      put(&file, 2, local.size());
      put(&file, 2, 0);
      file += local + stored;
      directory += "PK\x01\x02";
      put(&directory, 2, 20);
      put(&directory, 2, 20);
      directory += sizes;
      put(&directory, 2, entry.name.size());
      put(&directory, 2, 0);
      put(&directory, 8, 0);
      put(&directory, 2, 0);
      put(&directory, 4, static_cast<uint64_t>(offset));
      directory += entry.name;
    }
    const uint64_t directory_offset = file.size();
    file += directory + "PK\x05\x06";
    put(&file, 4, 0);
    put(&file, 2, entries_.size());
    put(&file, 2, entries_.size());
    put(&file, 4, directory.size());
    put(&file, 4, directory_offset);
    put(&file, 2, 0);
    return file;
  }

 private:
  static void put(std::string* out, int count, uint64_t value) {
    for (int i = 0; i < count; ++i) {
      out->push_back(static_cast<char>(value >> (8 * i)));
    }
  }
  static std::string deflated(const std::string& content) {
    z_stream stream = {};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
  }

  std::vector<Entry> entries_;
};

}  // namespace cresset::frontend
