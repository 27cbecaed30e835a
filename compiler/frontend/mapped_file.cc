// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cresset::frontend {

namespace {

Error access_error(const std::string& path, const char* reason) {
  return {Status::kAccessFailed, "cannot read " + path + ": " + reason};
}

// Only for pages of files: those come back when read.
void drop_pages(Span<const uint8_t> bytes) {
  const uintptr_t page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t first = (begin + page - 1) / page * page;
  const uintptr_t last = (begin + bytes.size()) / page * page;
  if (first < last) {
    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }
}

}  // namespace

SharedBytes own_bytes(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {Span<const uint8_t>(reinterpret_cast<const uint8_t*>(owner->data()), owner->size()),
          owner};
}

Expected<SharedBytes> map_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return access_error(path, std::strerror(errno));
  }
  struct stat info = {};
  if (::fstat(fd, &info) != 0) {
    const int reason = errno;
    ::close(fd);
    return access_error(path, std::strerror(reason));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return access_error(path, S_ISDIR(info.st_mode) ? "it is a folder" : "it is not a file");
  }
  const size_t size = static_cast<size_t>(info.st_size);
  if (size == 0) {
    ::close(fd);
    return SharedBytes{};
  }
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int reason = errno;
  ::close(fd);
  if (data == MAP_FAILED) {
    return access_error(path, std::strerror(reason));
  }
  std::shared_ptr<const void> owner(
      data, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  return SharedBytes{Span<const uint8_t>(static_cast<const uint8_t*>(data), size), owner, true};
}

std::shared_ptr<const SharedBytes> share_bytes(SharedBytes bytes) {
  if (!bytes.mapped) {
    return std::make_shared<const SharedBytes>(std::move(bytes));
  }
  return {new SharedBytes(std::move(bytes)), [](const SharedBytes* shared) {
            drop_pages(shared->view);
            delete shared;
          }};
}

}  // namespace cresset::frontend
