// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/memory_loader.h"
#include "runtime/data_loader.h"

namespace cresset::data {

// A file mapped read-only: pages are read when they are touched and can be dropped again.
class MappedLoader final : public DataLoader {
 public:
  explicit MappedLoader(FileBytes file) : file_(std::move(file)), memory_(file_.bytes()) {}

  uint64_t size_bytes() const override { return memory_.size_bytes(); }
  Result<Span<const uint8_t>> load(uint64_t offset, size_t size) override {
    return memory_.load(offset, size);
  }
  Status load_into(uint64_t offset, size_t size, void* out) override {
    return memory_.load_into(offset, size, out);
  }

 private:
  FileBytes file_;
  MemoryLoader memory_;
};

// A file of which only what is asked for is read, into memory that release() frees: for programs
// that must not depend on the file once they are loaded.
class FileLoader final : public DataLoader {
 public:
  // The regular file at `path`.
  static Expected<std::unique_ptr<FileLoader>> open(const std::string& path);
  FileLoader(const FileLoader&) = delete;
  FileLoader& operator=(const FileLoader&) = delete;
  ~FileLoader();

  uint64_t size_bytes() const override { return size_bytes_; }
  Result<Span<const uint8_t>> load(uint64_t offset, size_t size) override;
  Status load_into(uint64_t offset, size_t size, void* out) override;
  void release(Span<const uint8_t> data) override;

 private:
  FileLoader(int descriptor, uint64_t size_bytes)
      : descriptor_(descriptor), size_bytes_(size_bytes) {}

  int descriptor_;
  uint64_t size_bytes_;
  std::vector<void*> blocks_;
};

}  // namespace cresset::data
