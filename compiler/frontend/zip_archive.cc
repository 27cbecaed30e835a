// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/zip_archive.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace cresset::frontend {

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50;
constexpr uint32_t kEnd64Locator = 0x07064b50;

constexpr size_t kLocalHeaderBytes = 30;
constexpr size_t kCentralHeaderBytes = 46;
constexpr size_t kEndBytes = 22;
constexpr size_t kEnd64Bytes = 56;
constexpr size_t kEnd64LocatorBytes = 20;
constexpr size_t kMaxCommentBytes = 0xffff;

constexpr uint32_t kAbsent32 = 0xffffffff;
constexpr uint16_t kAbsent16 = 0xffff;
constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint16_t kFlagEncrypted = 1 << 0;
constexpr uint16_t kFlagDescriptor = 1 << 3;
constexpr uint16_t kFlagStrongEncryption = 1 << 6;
constexpr uint16_t kFlagMaskedHeaders = 1 << 13;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
// Deflate cannot shrink by more; a larger claim is a bomb.
constexpr uint64_t kMaxDeflateRatio = 1032;

// Why a name may not be used, or null.
const char* name_defect(std::string_view name) {
  if (name.empty()) {
    return "is empty";
  }
  if (name[0] == '/' || (name.size() > 1 && name[1] == ':')) {
    return "is absolute";
  }
  if (name.find('\\') != std::string_view::npos || name.find('\0') != std::string_view::npos) {
    return "holds a backslash or a zero byte";
  }
  for (size_t first = 0; first <= name.size();) {
    const size_t last = std::min(name.find('/', first), name.size());
    if (name.substr(first, last - first) == "..") {
      return "leaves its folder";
    }
    first = last + 1;
  }
  return nullptr;
}

// A name for a message: bounded, printable.
std::string shown(std::string_view name) {
  std::string text = "'";
  for (char c : name.substr(0, 80)) {
    text += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return text + (name.size() > 80 ? "...'" : "'");
}

// Replaces those of the four fields that are absent in the header by their zip64 values.
bool read_zip64_extra(const uint8_t* extra, size_t extra_bytes, uint64_t* size, uint64_t* stored,
                      uint64_t* offset) {
  while (extra_bytes >= 4) {
    const uint16_t id = load_u16(extra);
    const size_t length = load_u16(extra + 2);
    extra += 4;
    extra_bytes -= 4;
    if (length > extra_bytes) {
      return false;
    }
    if (id == kZip64Extra) {
      size_t at = 0;
      for (uint64_t* field : {size, stored, offset}) {
        if (field != nullptr && *field == kAbsent32) {
          if (at + 8 > length) {
            return false;
          }
          *field = load_u64(extra + at);
          at += 8;
        }
      }
      return true;
    }
    extra += length;
    extra_bytes -= length;
  }
  return false;
}

}  // namespace

Error ZipArchive::fail(const std::string& what) const {
  return {Status::kInvalidExternalData, name_ + ": damaged zip archive: " + what};
}

Expected<ZipArchive> ZipArchive::open(SharedBytes file, std::string name) {
  ZipArchive archive;
  archive.file_ = std::move(file);
  archive.name_ = std::move(name);
  if (Error error = archive.read_directory(); !error.ok()) {
    return error;
  }
  if (Error error = archive.check_overlap(); !error.ok()) {
    return error;
  }
  // After the last push_back, so that the keys stay where they are.
  for (size_t i = 0; i < archive.entries_.size(); ++i) {
    if (!archive.by_name_.emplace(archive.entries_[i].name, i).second) {
      return archive.fail("two entries are called " + shown(archive.entries_[i].name));
    }
  }
  return archive;
}

Error ZipArchive::read_directory() {
  const uint8_t* data = file_.view.data();
  const size_t size = file_.size();
  if (size < kEndBytes) {
    return fail("the file has only " + std::to_string(size) + " bytes");
  }
  size_t end = size - kEndBytes;
  const size_t first = end > kMaxCommentBytes ? end - kMaxCommentBytes : 0;
  while (load_u32(data + end) != kEnd || end + kEndBytes + load_u16(data + end + 20) != size) {
    if (end == first) {
      return fail("no end record (is the file cut short?)");
    }
    --end;
  }
  const uint8_t* record = data + end;
  if (load_u16(record + 4) != load_u16(record + 6)) {
    return fail("it spans several disks");
  }
  uint64_t count = load_u16(record + 10);
  uint64_t bytes = load_u32(record + 12);
  uint64_t offset = load_u32(record + 16);
  uint64_t limit = end;
  const bool needs64 = count == kAbsent16 || bytes == kAbsent32 || offset == kAbsent32;
  const bool has64 =
      end >= kEnd64LocatorBytes && load_u32(data + end - kEnd64LocatorBytes) == kEnd64Locator;
  if (has64) {
    const uint8_t* locator = data + end - kEnd64LocatorBytes;
    const uint64_t at = load_u64(locator + 8);
    const uint64_t last = end - kEnd64LocatorBytes;
    if (load_u32(locator + 16) > 1) {
      return fail("it spans several disks");
    }
    if (at > last || last - at < kEnd64Bytes || load_u32(data + at) != kEnd64) {
      return fail("the zip64 end record is not where its locator says");
    }
    count = load_u64(data + at + 32);
    bytes = load_u64(data + at + 40);
    offset = load_u64(data + at + 48);
    limit = at;
  } else if (needs64) {
    return fail("the zip64 end record is missing");
  }
  if (offset > limit || bytes > limit - offset) {
    return fail("the directory lies outside the file");
  }
  if (count > bytes / kCentralHeaderBytes) {
    return fail("the directory is too small for " + std::to_string(count) + " entries");
  }
  directory_offset_ = offset;
  entries_.reserve(count);
  extents_.reserve(count);
  const uint8_t* at = data + offset;
  const uint8_t* const last = at + bytes;
  for (uint64_t i = 0; i < count; ++i) {
    size_t used = 0;
    if (Error error = read_entry(at, last, &used); !error.ok()) {
      return error;
    }
    at += used;
  }
  if (at != last) {
    return fail("bytes are left over in the directory");
  }
  return {};
}

Error ZipArchive::read_entry(const uint8_t* header, const uint8_t* end, size_t* used) {
  const size_t left = static_cast<size_t>(end - header);
  if (left < kCentralHeaderBytes || load_u32(header) != kCentralHeader) {
    return fail("entry " + std::to_string(entries_.size()) + " of the directory is not one");
  }
  const uint16_t flags = load_u16(header + 8);
  const uint16_t method = load_u16(header + 10);
  const size_t name_bytes = load_u16(header + 28);
  const size_t extra_bytes = load_u16(header + 30);
  const size_t comment_bytes = load_u16(header + 32);
  *used = kCentralHeaderBytes + name_bytes + extra_bytes + comment_bytes;
  if (*used > left) {
    return fail("entry " + std::to_string(entries_.size()) + " leaves the directory");
  }
  ZipEntry entry;
  entry.name.assign(reinterpret_cast<const char*>(header + kCentralHeaderBytes), name_bytes);
  if (const char* defect = name_defect(entry.name)) {
    return fail("the name " + shown(entry.name) + " " + defect);
  }
  if ((flags & (kFlagEncrypted | kFlagStrongEncryption | kFlagMaskedHeaders)) != 0) {
    return fail(shown(entry.name) + " is encrypted");
  }
  if (method != kStored && method != kDeflated) {
    return fail(shown(entry.name) + " is packed with method " + std::to_string(method) +
                "; only stored and deflate can be read");
  }
  entry.deflated = method == kDeflated;
  entry.crc32 = load_u32(header + 16);
  entry.stored_bytes = load_u32(header + 20);
  entry.size_bytes = load_u32(header + 24);
  uint64_t header_offset = load_u32(header + 42);
  const uint16_t disk = load_u16(header + 34);
  if (disk != 0 && disk != kAbsent16) {
    return fail(shown(entry.name) + " lies on another disk");
  }
  if (entry.stored_bytes == kAbsent32 || entry.size_bytes == kAbsent32 ||
      header_offset == kAbsent32) {
    if (!read_zip64_extra(header + kCentralHeaderBytes + name_bytes, extra_bytes, &entry.size_bytes,
                          &entry.stored_bytes, &header_offset)) {
      return fail("the 64-bit sizes of " + shown(entry.name) + " are missing");
    }
  }
  if (!entry.deflated && entry.stored_bytes != entry.size_bytes) {
    return fail("the two sizes of " + shown(entry.name) + " differ though it is not compressed");
  }
  if (entry.size_bytes / kMaxDeflateRatio > entry.stored_bytes) {
    return fail(shown(entry.name) + " claims to unpack to " + std::to_string(entry.size_bytes) +
                " bytes");
  }
  if (Error error = check_local_header(header_offset, directory_offset_, &entry); !error.ok()) {
    return error;
  }
  extents_.push_back({header_offset, entry.data_offset + entry.stored_bytes, entries_.size()});
  entries_.push_back(std::move(entry));
  return {};
}

Error ZipArchive::check_local_header(uint64_t header_offset, uint64_t directory_offset,
                                     ZipEntry* entry) {
  if (header_offset > directory_offset || directory_offset - header_offset < kLocalHeaderBytes) {
    return fail(shown(entry->name) + " lies outside the file");
  }
  const uint8_t* header = file_.view.data() + header_offset;
  if (load_u32(header) != kLocalHeader) {
    return fail("no header where " + shown(entry->name) + " should be");
  }
  const uint16_t flags = load_u16(header + 6);
  const size_t name_bytes = load_u16(header + 26);
  const size_t extra_bytes = load_u16(header + 28);
  const uint64_t room = directory_offset - header_offset - kLocalHeaderBytes;
  if (name_bytes + extra_bytes > room || entry->stored_bytes > room - name_bytes - extra_bytes) {
    return fail(shown(entry->name) + " leaves the file");
  }
  const uint8_t* name = header + kLocalHeaderBytes;
  if (name_bytes != entry->name.size() || std::memcmp(name, entry->name.data(), name_bytes) != 0) {
    return fail("the names of " + shown(entry->name) + " differ in header and directory");
  }
  if ((flags & (kFlagEncrypted | kFlagStrongEncryption | kFlagMaskedHeaders)) != 0) {
    return fail(shown(entry->name) + " is encrypted");
  }
  if (load_u16(header + 8) != (entry->deflated ? kDeflated : kStored)) {
    return fail("the methods of " + shown(entry->name) + " differ in header and directory");
  }
  if ((flags & kFlagDescriptor) == 0) {
    uint64_t stored = load_u32(header + 18);
    uint64_t size = load_u32(header + 22);
    if ((stored == kAbsent32 || size == kAbsent32) &&
        !read_zip64_extra(name + name_bytes, extra_bytes, &size, &stored, nullptr)) {
      return fail("the 64-bit sizes of " + shown(entry->name) + " are missing");
    }
    if (stored != entry->stored_bytes || size != entry->size_bytes ||
        load_u32(header + 14) != entry->crc32) {
      return fail("the sizes of " + shown(entry->name) + " differ in header and directory");
    }
  }
  entry->data_offset = header_offset + kLocalHeaderBytes + name_bytes + extra_bytes;
  return {};
}

Error ZipArchive::check_overlap() {
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    return a.first != b.first ? a.first < b.first : a.last < b.last;
  });
  for (size_t i = 1; i < extents_.size(); ++i) {
    if (extents_[i].first < extents_[i - 1].last) {
      return fail(shown(entries_[extents_[i - 1].entry].name) + " and " +
                  shown(entries_[extents_[i].entry].name) + " overlap");
    }
  }
  extents_ = {};
  return {};
}

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

Expected<SharedBytes> ZipArchive::read(const ZipEntry& entry) const {
  SharedBytes content = file_.slice(entry.data_offset, entry.stored_bytes);
  if (entry.deflated) {
    std::string unpacked;
    try {
      unpacked.resize(entry.size_bytes);
    } catch (const std::exception&) {
      return Error{Status::kMemoryAllocationFailed, name_ + ": no memory for the " +
                                                        std::to_string(entry.size_bytes) +
                                                        " bytes of " + shown(entry.name)};
    }
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
      return Error{Status::kInternal, "zlib does not start"};
    }
    // zlib counts in 32 bits: feed and drain in pieces.
    constexpr size_t kPiece = size_t{1} << 30;
    size_t fed = 0;
    size_t made = 0;
    int state = Z_OK;
    while (state == Z_OK) {
      const size_t in = std::min(kPiece, content.size() - fed);
      const size_t out = std::min(kPiece, unpacked.size() - made);
      stream.next_in = const_cast<Bytef*>(content.view.data() + fed);
      stream.avail_in = static_cast<uInt>(in);
      stream.next_out = reinterpret_cast<Bytef*>(unpacked.data()) + made;
      stream.avail_out = static_cast<uInt>(out);
      state = inflate(&stream, Z_NO_FLUSH);
      fed += in - stream.avail_in;
      made += out - stream.avail_out;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || made != unpacked.size() || fed != content.size()) {
      return fail(shown(entry.name) + " does not unpack to its declared size");
    }
    content = own_bytes(std::move(unpacked));
  }
  if (crc32_z(crc32_z(0, nullptr, 0), content.view.data(), content.size()) != entry.crc32) {
    return fail("the checksum of " + shown(entry.name) + " is wrong");
  }
  return content;
}

}  // namespace cresset::frontend
