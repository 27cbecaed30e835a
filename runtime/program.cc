// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/program.h"

#include <cstring>

#include "runtime/flat_program.h"
#include "runtime/verify_program.h"

namespace cresset {
namespace {

constexpr size_t kMinFileBytes = 16;
// FlatBuffers counts with 31 bits.
constexpr uint64_t kMaxFlatBytes = 0x7fffffff;
// Our schema nests tables about six deep; a table takes at least eight bytes with its vtable entry.
constexpr uint32_t kMaxDepth = 32;
constexpr size_t kMinTableBytes = 4;

}  // namespace

Status Program::load(DataLoader& loader, Message& message) {
  loader_ = &loader;
  flat_ = nullptr;
  constants_ = {};
  message.clear();
  const Status status = load_flat(message);
  if (!ok(status)) {
    flat_ = nullptr;
    if (message.length() == 0) {
      message.append("cannot read the program: {}", status);
    }
  }
  return status;
}

Status Program::load_flat(Message& message) {
  const uint64_t file_size = loader_->size_bytes();
  if (file_size < kMinFileBytes) {
    return message.fail(Status::kInvalidProgram, "{} bytes are no program", file_size);
  }
  const size_t head_size = file_size < ExtendedHeader::kHeadBytes ? static_cast<size_t>(file_size)
                                                                  : ExtendedHeader::kHeadBytes;
  CRESSET_ASSIGN(const Span<const uint8_t> head, loader_->load(0, head_size));
  if (reinterpret_cast<uintptr_t>(head.data()) % DataLoader::kDataAlignment != 0) {
    return message.fail(Status::kInvalidArgument, "the program does not start at a multiple of {}",
                        DataLoader::kDataAlignment);
  }
  if (!fb::ProgramBufferHasIdentifier(head.data())) {
    return message.fail(Status::kInvalidProgram,
                        "not a program: identifier \"{}\", expected \"{}\"",
                        Span<const char>(reinterpret_cast<const char*>(head.data()) + 4, 4),
                        fb::ProgramIdentifier());
  }
  const char* why = "";
  if (!ok(ExtendedHeader::parse(head.data(), head.size(), file_size, &header_, &why))) {
    return message.fail(Status::kInvalidProgram, "{} (file of {} bytes)", why, file_size);
  }
  loader_->release(head);
  if (header_.program_size > kMaxFlatBytes) {
    return message.fail(Status::kNotSupported, "a program of {} bytes without its segments",
                        header_.program_size);
  }
  const size_t size = static_cast<size_t>(header_.program_size);
  CRESSET_ASSIGN(const Span<const uint8_t> bytes, loader_->load(0, size));
  flatbuffers::Verifier verifier(bytes.data(), size, kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(size / kMinTableBytes));
  if (!fb::VerifyProgramBuffer(verifier)) {
    return message.fail(Status::kInvalidProgram,
                        "the program is damaged: it is no valid FlatBuffer");
  }
  const fb::Program* program = fb::GetProgram(bytes.data());
  CRESSET_TRY(verify_program(*program, header_, file_size, message));
  flat_ = program;
  const auto* constants = program->constant_segment();
  if (constants != nullptr && size_of(constants->offsets()) > 1) {
    CRESSET_ASSIGN(constants_, load_segment(constants->segment_index()));
  }
  return Status::kOk;
}

size_t Program::method_count() const { return flat_->execution_plan()->size(); }

const char* Program::method_name(size_t index) const {
  return text_of(flat_->execution_plan()->Get(static_cast<uint32_t>(index))->name());
}

const fb::ExecutionPlan* Program::plan(const char* name) const {
  for (const fb::ExecutionPlan* plan : *flat_->execution_plan()) {
    if (std::strcmp(text_of(plan->name()), name) == 0) {
      return plan;
    }
  }
  return nullptr;
}

Result<MethodMeta> Program::method_meta(const char* name) const {
  const fb::ExecutionPlan* found = plan(name);
  if (found == nullptr) {
    return Status::kNotFound;
  }
  return MethodMeta(found);
}

MethodMeta Program::method_meta(size_t index) const {
  return MethodMeta(flat_->execution_plan()->Get(static_cast<uint32_t>(index)));
}

size_t Program::count() const { return size_of(flat_->named_data()); }

const char* Program::key(size_t index) const {
  return text_of(flat_->named_data()->Get(static_cast<uint32_t>(index))->key());
}

Result<NamedDatum> Program::find(const char* wanted) const {
  for (uint32_t i = 0; i < size_of(flat_->named_data()); ++i) {
    if (std::strcmp(key(i), wanted) == 0) {
      NamedDatum datum;
      CRESSET_ASSIGN(datum.data, load_segment(flat_->named_data()->Get(i)->segment_index()));
      return datum;
    }
  }
  return Status::kNotFound;
}

const uint8_t* Program::constant(uint32_t index) const {
  const auto* segment = flat_->constant_segment();
  if (segment == nullptr || size_of(segment->offsets()) == 0) {
    return flat_->constant_buffer()->Get(index)->storage()->data();
  }
  return constants_.data() + segment->offsets()->Get(index);
}

Status Program::load_state(uint32_t index, size_t bytes, void* out) const {
  const auto* list = flat_->mutable_data_segments()->Get(0);
  const uint64_t start = header_.segment_base_offset +
                         flat_->segments()->Get(list->segment_index())->offset() +
                         list->offsets()->Get(index);
  return loader_->load_into(start, bytes, out);
}

Result<Span<const uint8_t>> Program::load_segment(uint32_t index) const {
  const auto* segment = flat_->segments()->Get(index);
  return loader_->load(header_.segment_base_offset + segment->offset(),
                       static_cast<size_t>(segment->size()));
}

}  // namespace cresset
