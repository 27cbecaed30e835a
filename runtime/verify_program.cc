// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/verify_program.h"

#include "runtime/data_loader.h"
#include "runtime/verify_plan.h"

namespace cresset {
namespace {

constexpr uint32_t kKnownVersion = 0;

Status check_segments(const fb::Program& program, const ExtendedHeader& header, uint64_t file_size,
                      Message& message) {
  const uint64_t room = header.segment_data_size != 0 ? header.segment_data_size
                                                      : file_size - header.segment_base_offset;
  for (uint32_t i = 0; i < size_of(program.segments()); ++i) {
    const auto* segment = program.segments()->Get(i);
    if (segment->offset() > room || segment->size() > room - segment->offset() ||
        segment->size() > SIZE_MAX) {
      return message.fail(Status::kInvalidProgram,
                          "segment {}: bytes {} + {} lie outside the file's {} segment bytes", i,
                          segment->offset(), segment->size(), room);
    }
    const uint64_t start = header.segment_base_offset + segment->offset();
    if (segment->size() != 0 && start % DataLoader::kDataAlignment != 0) {
      return message.fail(Status::kInvalidProgram, "segment {} starts at {}, no multiple of {}", i,
                          start, DataLoader::kDataAlignment);
    }
  }
  return Status::kOk;
}

// Offsets into one segment: of constants or of initial state.
Status check_offsets(const fb::Program& program, const fb::SubsegmentOffsets& list,
                     const char* what, Message& message) {
  if (list.offsets() == nullptr || !is_aligned(list.offsets())) {
    return message.fail(Status::kInvalidProgram, "{}: no list of offsets, or not aligned", what);
  }
  if (list.offsets()->size() <= 1) {
    return Status::kOk;
  }
  if (list.segment_index() >= size_of(program.segments())) {
    return message.fail(Status::kInvalidProgram, "{}: segment {} of {}", what, list.segment_index(),
                        size_of(program.segments()));
  }
  const uint64_t size = program.segments()->Get(list.segment_index())->size();
  for (uint32_t i = 1; i < list.offsets()->size(); ++i) {
    if (list.offsets()->Get(i) > size) {
      return message.fail(Status::kInvalidProgram, "{} {}: offset {} in a segment of {} bytes",
                          what, i, list.offsets()->Get(i), size);
    }
  }
  return Status::kOk;
}

Status check_constants(const fb::Program& program, Message& message) {
  const auto* segment = program.constant_segment();
  bool inline_data = false;
  for (uint32_t i = 0; i < size_of(program.constant_buffer()); ++i) {
    inline_data = inline_data || size_of(program.constant_buffer()->Get(i)->storage()) != 0;
  }
  if (segment != nullptr && size_of(segment->offsets()) != 0) {
    if (inline_data && segment->offsets()->size() > 1) {
      return message.fail(Status::kInvalidProgram,
                          "constants are both inline and in a segment: which are meant?");
    }
    CRESSET_TRY(check_offsets(program, *segment, "constant", message));
  }
  const uint32_t states = size_of(program.mutable_data_segments());
  if (states > 1) {
    return message.fail(Status::kNotSupported, "{} segments of initial state; one is supported",
                        states);
  }
  return states == 0 ? Status::kOk
                     : check_offsets(program, *program.mutable_data_segments()->Get(0),
                                     "initial state", message);
}

Status check_named_data(const fb::Program& program, Message& message) {
  for (uint32_t i = 0; i < size_of(program.named_data()); ++i) {
    const auto* datum = program.named_data()->Get(i);
    if (datum->key() == nullptr || datum->segment_index() >= size_of(program.segments())) {
      return message.fail(Status::kInvalidProgram, "named datum {} ({}): segment {} of {}", i,
                          text_of(datum->key()), datum->segment_index(),
                          size_of(program.segments()));
    }
  }
  for (uint32_t i = 0; i < size_of(program.backend_delegate_data()); ++i) {
    const auto* data = program.backend_delegate_data()->Get(i)->data();
    if (data == nullptr ||
        reinterpret_cast<uintptr_t>(data->data()) % DataLoader::kDataAlignment != 0) {
      return message.fail(Status::kInvalidProgram,
                          "inline delegate data {} is absent or starts at no multiple of {}", i,
                          DataLoader::kDataAlignment);
    }
  }
  return Status::kOk;
}

}  // namespace

Status verify_program(const fb::Program& program, const ExtendedHeader& header, uint64_t file_size,
                      Message& message) {
  if (program.version() > kKnownVersion) {
    return message.fail(Status::kInvalidProgram, "schema version {}; this runtime knows {}",
                        program.version(), kKnownVersion);
  }
  CRESSET_TRY(check_segments(program, header, file_size, message));
  CRESSET_TRY(check_constants(program, message));
  CRESSET_TRY(check_named_data(program, message));
  if (size_of(program.execution_plan()) == 0) {
    return message.fail(Status::kInvalidProgram, "the program has no method");
  }
  WorkBudget budget(header.program_size);
  for (const fb::ExecutionPlan* plan : *program.execution_plan()) {
    if (plan->name() == nullptr) {
      return message.fail(Status::kInvalidProgram, "a method has no name");
    }
    CRESSET_TRY(verify_plan(program, *plan, budget, message));
  }
  return Status::kOk;
}

}  // namespace cresset
