// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace cresset::data {
namespace {

Error os_error(const std::string& path, const char* action) {
  const int number = errno;
  const Status status = number == ENOENT ? Status::kNotFound : Status::kAccessFailed;
  return {status, path + ": " + action + ": " + std::strerror(number)};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  // 0, or -1 with errno.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 ? 0 : ::close(fd);
  }

 private:
  int fd_;
};

Error write_all(int fd, Span<const uint8_t> bytes, const std::string& path) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0) {
      if (errno == EINTR) {
        continue;
      }
      return os_error(path, "cannot write");
    }
    done += static_cast<size_t>(n);
  }
  return Error();
}

}  // namespace

Expected<FileBytes> FileBytes::open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    return os_error(path, "cannot open");
  }
  struct stat info;
  if (::fstat(file.get(), &info) != 0) {
    return os_error(path, "cannot read");
  }
  if (!S_ISREG(info.st_mode)) {
    return Error{Status::kAccessFailed, path + ": not a regular file"};
  }
  FileBytes result;
  const size_t size = static_cast<size_t>(info.st_size);
  if (size == 0) {
    return result;
  }
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) {
    return os_error(path, "cannot map");
  }
  result.bytes_ = Span<const uint8_t>(static_cast<const uint8_t*>(address), size);
  result.owner_ = std::shared_ptr<const void>(
      address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return result;
}

namespace {

template <class Bytes>
std::pair<Span<const uint8_t>, std::shared_ptr<const void>> take_over(Bytes bytes) {
  auto owner = std::make_shared<const Bytes>(std::move(bytes));
  return {{reinterpret_cast<const uint8_t*>(owner->data()), owner->size()}, owner};
}

}  // namespace

FileBytes FileBytes::own(std::string bytes) {
  FileBytes result;
  std::tie(result.bytes_, result.owner_) = take_over(std::move(bytes));
  return result;
}

FileBytes FileBytes::own(std::vector<uint8_t> bytes) {
  FileBytes result;
  std::tie(result.bytes_, result.owner_) = take_over(std::move(bytes));
  return result;
}

Error write_file(const std::string& path, Span<const Span<const uint8_t>> parts) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    // A device or a pipe cannot be replaced by renaming.
    Descriptor sink(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (sink.get() < 0) {
      return os_error(path, "cannot write");
    }
    for (const Span<const uint8_t>& part : parts) {
      if (Error error = write_all(sink.get(), part, path); !error.ok()) {
        return error;
      }
    }
    return Error();
  }
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    return os_error(path, "cannot write");
  }
  Error error;
  for (const Span<const uint8_t>& part : parts) {
    error = write_all(file.get(), part, path);
    if (!error.ok()) {
      break;
    }
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (error.ok() && (::fchmod(file.get(), 0666 & ~mask) != 0 || file.close() != 0 ||
                     std::rename(temporary.c_str(), path.c_str()) != 0)) {
    error = os_error(path, "cannot write");
  }
  if (!error.ok()) {
    ::unlink(temporary.c_str());
  }
  return error;
}

Error write_file(const std::string& path, const std::string& bytes) {
  const Span<const uint8_t> part(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return write_file(path, Span<const Span<const uint8_t>>(&part, 1));
}

}  // namespace cresset::data
