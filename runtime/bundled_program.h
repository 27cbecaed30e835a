// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/message.h"
#include "runtime/data_loader.h"

namespace cresset {

// Where the program lies in a bundled program file (.bpte), as a byte range of that file.
struct BundledRange {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Whether the first bytes are those of a bundled program; `size` may be anything.
bool is_bundled_program(const uint8_t* head, size_t size);

// Verifies the bundle behind `loader` and finds its program. kInvalidProgram with the reason.
Status find_bundled_program(DataLoader& loader, BundledRange* range, Message& message);

// A byte range of another loader's file, as a file of its own: the program of a bundle, a file
// inside an archive. The offset is a multiple of DataLoader::kDataAlignment.
class SliceLoader final : public DataLoader {
 public:
  SliceLoader(DataLoader& whole, uint64_t offset, uint64_t size)
      : whole_(whole), offset_(offset), size_(size) {}

  uint64_t size_bytes() const override { return size_; }
  Result<Span<const uint8_t>> load(uint64_t offset, size_t size) override;
  Status load_into(uint64_t offset, size_t size, void* out) override;
  void release(Span<const uint8_t> data) override { whole_.release(data); }

 private:
  bool contains(uint64_t offset, size_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }

  DataLoader& whole_;
  uint64_t offset_;
  uint64_t size_;
};

}  // namespace cresset
