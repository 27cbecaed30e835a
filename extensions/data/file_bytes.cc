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
#include <filesystem>
#include <tuple>
#include <utility>

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

namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

// What `path` leads to, existing or not, where it names a link. Links among the folders before it
// stay: renaming goes through those.
Expected<std::string> follow_links(const std::string& path) {
  fs::path target = path;
  std::error_code failed;
  for (int i = 0; fs::is_symlink(target, failed); ++i) {
    const fs::path next = fs::read_symlink(target, failed);
    if (failed || i == kMaxLinks) {
      errno = failed ? failed.value() : ELOOP;
      return os_error(path, "cannot write");
    }
    target = target.parent_path() / next;
  }
  return target.string();
}

// This process's own descriptor for the file: opening /dev/stdout again would start at its
// beginning. -1 where there is none.
int standard_stream(const struct stat& info) {
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own;
    if (::fstat(fd, &own) == 0 && own.st_dev == info.st_dev && own.st_ino == info.st_ino) {
      return fd;
    }
  }
  return -1;
}

Error write_parts(int fd, Span<const Span<const uint8_t>> parts, const std::string& path) {
  for (const Span<const uint8_t>& part : parts) {
    if (Error error = write_all(fd, part, path); !error.ok()) {
      return error;
    }
  }
  return Error();
}

}  // namespace

OutputFiles::~OutputFiles() {
  for (const File& file : files_) {
    if (file.sink >= 0) {
      ::close(file.sink);
    } else if (!file.temporary.empty()) {
      ::unlink(file.temporary.c_str());
    }
  }
}

Error OutputFiles::add(const std::string& path, std::vector<Span<const uint8_t>> parts) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    const int stream = standard_stream(info);
    if (stream >= 0 || !S_ISREG(info.st_mode)) {
      const int sink = stream >= 0 ? ::fcntl(stream, F_DUPFD_CLOEXEC, 0)
                                   : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (sink < 0) {
        return os_error(path, "cannot write");
      }
      files_.push_back({path, "", sink, std::move(parts)});
      return Error();
    }
  }
  const Expected<std::string> target = follow_links(path);
  if (!target.ok()) {
    return target.error();
  }
  std::string temporary = *target + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    return os_error(path, "cannot write");
  }
  files_.push_back({*target, temporary, -1, {}});
  if (Error error = write_parts(file.get(), parts, path); !error.ok()) {
    return error;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.get(), 0666 & ~mask) != 0 || file.close() != 0) {
    return os_error(path, "cannot write");
  }
  return Error();
}

Error OutputFiles::add(const std::string& path, const std::string& bytes) {
  return add(path, {{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}});
}

Error OutputFiles::put_in_place() {
  std::fflush(stdout);  // what was printed before comes before
  for (const File& file : files_) {
    if (file.sink >= 0) {
      if (Error error = write_parts(file.sink, file.parts, file.path); !error.ok()) {
        return error;
      }
    }
  }
  for (File& file : files_) {
    if (file.sink >= 0) {
      continue;
    }
    if (std::rename(file.temporary.c_str(), file.path.c_str()) != 0) {
      return os_error(file.path, "cannot write");
    }
    file.temporary.clear();
  }
  return Error();
}

Error write_file(const std::string& path, std::vector<Span<const uint8_t>> parts) {
  OutputFiles file;
  Error error = file.add(path, std::move(parts));
  return error.ok() ? file.put_in_place() : error;
}

Error write_file(const std::string& path, const std::string& bytes) {
  OutputFiles file;
  Error error = file.add(path, bytes);
  return error.ok() ? file.put_in_place() : error;
}

}  // namespace cresset::data
