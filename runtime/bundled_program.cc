// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundled_program.h"

#include "schema/bundled_program_generated.h"

namespace cresset {

namespace bundle = schema::bundled_program;

namespace {

constexpr size_t kMinFileBytes = 16;
constexpr uint64_t kMaxFlatBytes = 0x7fffffff;
constexpr uint32_t kMaxDepth = 32;

}  // namespace

bool is_bundled_program(const uint8_t* head, size_t size) {
  return size >= kMinFileBytes && bundle::BundledProgramBufferHasIdentifier(head);
}

Status find_bundled_program(DataLoader& loader, BundledRange* range, Message& message) {
  const uint64_t size = loader.size_bytes();
  if (size < kMinFileBytes || size > kMaxFlatBytes) {
    return message.fail(Status::kInvalidProgram, "{} bytes are no bundled program", size);
  }
  const auto bytes = loader.load(0, static_cast<size_t>(size));
  if (!bytes.ok()) {
    return message.fail(bytes.status(), "cannot read the bundled program: {}", bytes.status());
  }
  flatbuffers::Verifier verifier(bytes->data(), bytes->size(), kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(bytes->size() / 4));
  if (!bundle::VerifyBundledProgramBuffer(verifier)) {
    return message.fail(Status::kInvalidProgram, "the bundled program is damaged");
  }
  const auto* program = bundle::GetBundledProgram(bytes->data())->program();
  if (program == nullptr || program->size() == 0) {
    return message.fail(Status::kInvalidProgram, "the bundle holds no program");
  }
  range->offset = static_cast<uint64_t>(program->Data() - bytes->data());
  range->size = program->size();
  if (range->offset % DataLoader::kDataAlignment != 0) {
    return message.fail(Status::kInvalidProgram,
                        "the bundle's program starts at {}, no multiple of {}", range->offset,
                        DataLoader::kDataAlignment);
  }
  return Status::kOk;
}

Result<Span<const uint8_t>> SliceLoader::load(uint64_t offset, size_t size) {
  if (!contains(offset, size)) {
    return Status::kInvalidArgument;
  }
  return whole_.load(offset_ + offset, size);
}

Status SliceLoader::load_into(uint64_t offset, size_t size, void* out) {
  return contains(offset, size) ? whole_.load_into(offset_ + offset, size, out)
                                : Status::kInvalidArgument;
}

}  // namespace cresset
