// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/file_loader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cresset::data {

Expected<std::unique_ptr<FileLoader>> FileLoader::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return Error{errno == ENOENT ? Status::kNotFound : Status::kAccessFailed,
                 path + ": cannot open: " + std::strerror(errno)};
  }
  struct stat info;
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return Error{Status::kAccessFailed, path + ": not a regular file"};
  }
  return std::unique_ptr<FileLoader>(
      new FileLoader(descriptor, static_cast<uint64_t>(info.st_size)));
}

FileLoader::~FileLoader() {
  for (void* block : blocks_) {
    std::free(block);
  }
  ::close(descriptor_);
}

Result<Span<const uint8_t>> FileLoader::load(uint64_t offset, size_t size) {
  if (offset > size_bytes_ || size > size_bytes_ - offset) {
    return Status::kInvalidArgument;
  }
  const size_t rounded = (size / kDataAlignment + 1) * kDataAlignment;
  void* block = std::aligned_alloc(kDataAlignment, rounded);
  if (block == nullptr) {
    return Status::kMemoryAllocationFailed;
  }
  const Status status = load_into(offset, size, block);
  if (status != Status::kOk) {
    std::free(block);
    return status;
  }
  blocks_.push_back(block);
  return Span<const uint8_t>(static_cast<const uint8_t*>(block), size);
}

Status FileLoader::load_into(uint64_t offset, size_t size, void* out) {
  if (offset > size_bytes_ || size > size_bytes_ - offset) {
    return Status::kInvalidArgument;
  }
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(descriptor_, static_cast<char*>(out) + done, size - done,
                              static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return Status::kAccessFailed;
    }
    done += static_cast<size_t>(n);
  }
  return Status::kOk;
}

void FileLoader::release(Span<const uint8_t> data) {
  const auto found = std::find(blocks_.begin(), blocks_.end(), const_cast<uint8_t*>(data.data()));
  if (found != blocks_.end()) {
    std::free(*found);
    blocks_.erase(found);
  }
}

}  // namespace cresset::data
