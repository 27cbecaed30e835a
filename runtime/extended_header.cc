// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/extended_header.h"

#include <cstring>

namespace cresset {
namespace {

constexpr size_t kMinLength = 24;       // magic, length, program size, segment base
constexpr size_t kLengthWithSize = 32;  // and the segment data size

}  // namespace

uint32_t read_le32(const uint8_t* bytes) {
  return uint32_t(bytes[0]) | uint32_t(bytes[1]) << 8 | uint32_t(bytes[2]) << 16 |
         uint32_t(bytes[3]) << 24;
}

uint64_t read_le64(const uint8_t* bytes) {
  return uint64_t(read_le32(bytes)) | uint64_t(read_le32(bytes + 4)) << 32;
}

Status ExtendedHeader::parse(const uint8_t* head, size_t size, uint64_t file_size,
                             ExtendedHeader* out, const char** why) {
  *out = ExtendedHeader();
  out->program_size = file_size;
  if (size < kOffset + kMinLength || std::memcmp(head + kOffset, "eh00", 4) != 0) {
    return Status::kOk;
  }
  out->present = true;
  const uint32_t length = read_le32(head + kOffset + 4);
  if (length < kMinLength) {
    *why = "extended header is too short";
    return Status::kInvalidProgram;
  }
  out->program_size = read_le64(head + kOffset + 8);
  out->segment_base_offset = read_le64(head + kOffset + 16);
  if (length >= kLengthWithSize && size >= kOffset + kLengthWithSize) {
    out->segment_data_size = read_le64(head + kOffset + 24);
  }
  if (out->program_size > file_size || out->program_size < kOffset + length) {
    *why = "extended header: program size does not fit the file";
    return Status::kInvalidProgram;
  }
  if (out->segment_base_offset != 0 &&
      (out->segment_base_offset < out->program_size || out->segment_base_offset > file_size)) {
    *why = "extended header: segments start outside the file";
    return Status::kInvalidProgram;
  }
  if (out->segment_data_size > file_size - out->segment_base_offset) {
    *why = "extended header: segments reach beyond the end of the file";
    return Status::kInvalidProgram;
  }
  return Status::kOk;
}

}  // namespace cresset
