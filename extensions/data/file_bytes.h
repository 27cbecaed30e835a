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

// Writes `parts`, one after the other, to `path`: whole or not at all. What `path` named before is
// replaced only once everything is on disk under a temporary name beside it.
Error write_file(const std::string& path, Span<const Span<const uint8_t>> parts);
Error write_file(const std::string& path, const std::string& bytes);

}  // namespace cresset::data
