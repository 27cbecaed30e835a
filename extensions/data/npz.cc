// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>
#include <zip.h>

#include <memory>

#include "extensions/data/npy.h"

namespace cresset::data {
namespace {

// Deflate expands its input at most about a thousandfold; a header that claims more lies.
constexpr uint64_t kMaxExpansion = 1100;

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

Expected<HostTensor> read_member(zip_t* archive, uint64_t index, uint64_t archive_bytes) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_stat_index(archive, index, 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0 ||
      info.size / kMaxExpansion > archive_bytes) {
    return invalid("the size is missing or too large");
  }
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive, index, 0));
  if (file == nullptr) {
    return invalid(zip_strerror(archive));
  }
  std::vector<uint8_t> bytes(info.size);
  uint64_t done = 0;
  while (done < info.size) {
    const int64_t n = zip_fread(file.get(), bytes.data() + done, info.size - done);
    if (n <= 0) {
      return invalid("the member is truncated or damaged");
    }
    done += static_cast<uint64_t>(n);
  }
  return parse_npy(bytes);
}

}  // namespace

Expected<std::vector<NamedTensor>> read_npz(const std::string& path) {
  Expected<FileBytes> bytes = FileBytes::open(path);
  if (!bytes.ok()) {
    return bytes.error();
  }
  if (bytes->size() == 0) {  // which libzip takes for an archive without members
    return invalid(path + ": empty, not an .npz file");
  }
  zip_error_t fault;
  zip_error_init(&fault);
  zip_source_t* const source =
      zip_source_buffer_create(bytes->bytes().data(), bytes->size(), 0, &fault);
  const Archive archive(source == nullptr ? nullptr
                                          : zip_open_from_source(source, ZIP_RDONLY, &fault));
  if (archive == nullptr) {
    const Error error = invalid(path + ": not an .npz file: " + zip_error_strerror(&fault));
    zip_error_fini(&fault);
    if (source != nullptr) {
      zip_source_free(source);
    }
    return error;
  }
  std::vector<NamedTensor> arrays;
  const int64_t count = zip_get_num_entries(archive.get(), 0);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t index = static_cast<uint64_t>(i);
    const char* const name = zip_get_name(archive.get(), index, 0);
    std::string key = name == nullptr ? "" : name;
    if (key.size() < 4 || key.substr(key.size() - 4) != ".npy") {
      return invalid(fmt::format("{}: member '{}' is no array", path, key));
    }
    key.resize(key.size() - 4);
    Expected<HostTensor> tensor = read_member(archive.get(), index, bytes->size());
    if (!tensor.ok()) {
      return invalid(fmt::format("{}: array '{}': {}", path, key, tensor.error().text));
    }
    arrays.push_back({std::move(key), *std::move(tensor)});
  }
  return arrays;
}

namespace {

void put(std::string& out, uint32_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xff);
  }
}

uint32_t crc32_of(const std::string& bytes) {
  uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
  }
  return ~crc;
}

}  // namespace

Expected<std::string> to_npz(Span<const NamedTensor> tensors) {
  // Written by hand: zip files of libzip carry the time of day.
  constexpr uint32_t kFirstOfJanuary1980 = 0x00210000;
  std::string out;
  std::string directory;
  for (const NamedTensor& named : tensors) {
    Expected<std::string> array = to_npy(named.tensor);
    if (!array.ok()) {
      return invalid(fmt::format("'{}': {}", named.key, array.error().text));
    }
    if (array->size() >= UINT32_MAX - out.size()) {
      return invalid(".npz files of 4 GiB or more are not supported");
    }
    const std::string name = named.key + ".npy";
    std::string shared;  // the fields that both headers of a member have
    put(shared, 20, 2);
    put(shared, 0, 4);
    put(shared, kFirstOfJanuary1980, 4);
    put(shared, crc32_of(*array), 4);
    put(shared, static_cast<uint32_t>(array->size()), 4);
    put(shared, static_cast<uint32_t>(array->size()), 4);
    put(shared, static_cast<uint32_t>(name.size()), 2);
    put(shared, 0, 2);
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += shared;
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, 0, 4);
    put(directory, static_cast<uint32_t>(out.size()), 4);
    directory += name;
    put(out, 0x04034b50, 4);
    out += shared + name + *array;
  }
  const uint32_t at = static_cast<uint32_t>(out.size());
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, static_cast<uint32_t>(tensors.size()), 2);
  put(out, static_cast<uint32_t>(tensors.size()), 2);
  put(out, static_cast<uint32_t>(directory.size()), 4);
  put(out, at, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace cresset::data
