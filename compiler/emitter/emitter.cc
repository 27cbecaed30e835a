// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/emitter/emitter.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "compiler/emitter/data_pool.h"
#include "compiler/emitter/method_emitter.h"

namespace cresset::emitter {

namespace {

constexpr uint64_t kSegmentAlignment = 128;
constexpr uint64_t kConstantAlignment = 16;
constexpr uint64_t kHeaderBytes = 32;

uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

void put(std::vector<uint8_t>* out, size_t at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    (*out)[at + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

struct Named {
  std::string key;
  std::vector<uint8_t> bytes;
};

// The data of all delegates by name. Fails where one name means different bytes.
ir::Error collect(const std::vector<ir::Schedule>& methods,
                  std::map<std::string, ir::ConstantPtr>* data) {
  for (const ir::Schedule& method : methods) {
    for (const ir::Delegate& delegate : method.delegates) {
      for (const ir::ConstantPtr& datum : delegate.data) {
        const ir::ConstantPtr& known = data->try_emplace(datum->name, datum).first->second;
        if (known->size_bytes != datum->size_bytes ||
            !std::equal(datum->bytes, datum->bytes + datum->size_bytes, known->bytes)) {
          return ir::error(Status::kInternal, "delegates of " + delegate.backend +
                                                  ": two data that differ are named '" +
                                                  datum->name + "'");
        }
      }
    }
  }
  return {};
}

// The extended header goes between the file identifier and the rest: the root offset moves with it.
std::vector<uint8_t> with_header(const flatbuffers::FlatBufferBuilder& builder,
                                 uint64_t segment_bytes) {
  const uint8_t* flat = builder.GetBufferPointer();
  const uint64_t size = builder.GetSize() + kHeaderBytes;
  std::vector<uint8_t> file(flat, flat + 8);
  file.resize(8 + kHeaderBytes);
  file.insert(file.end(), flat + 8, flat + builder.GetSize());
  uint32_t root = 0;
  std::memcpy(&root, flat, sizeof(root));
  const uint64_t base = round_up(size, kSegmentAlignment);
  put(&file, 0, root + kHeaderBytes, 4);
  std::memcpy(&file[8], "eh00", 4);
  put(&file, 12, kHeaderBytes, 4);
  put(&file, 16, size, 8);
  put(&file, 24, base, 8);
  put(&file, 32, segment_bytes, 8);
  file.resize(base);
  return file;
}

}  // namespace

ir::Expected<EmittedFiles> emit(const std::vector<ir::Schedule>& methods,
                                const EmitOptions& options) {
  flatbuffers::FlatBufferBuilder builder(64 * 1024);
  DataPool constants(kConstantAlignment);
  DataPool state(1);
  DataPool blobs(kSegmentAlignment);
  DataFile external;
  std::map<std::string, ir::ConstantPtr> delegate_data;
  if (ir::Error clash = collect(methods, &delegate_data)) {
    return clash;
  }
  std::vector<flatbuffers::Offset<fb::ExecutionPlan>> plans;
  std::vector<Named> named;
  for (const ir::Schedule& method : methods) {
    MethodEmitter emitter(&builder, &constants, &state, &blobs, &external, options);
    plans.push_back(emitter.emit(method));
    named.push_back({"cresset.debug_handles." + method.name, emitter.debug_handles()});
    for (const auto& [name, bytes] :
         {std::pair("cresset.input_ranges.", emitter.input_records().ranges),
          std::pair("cresset.input_relations.", emitter.input_records().relations)}) {
      if (!bytes.empty()) {
        named.push_back({name + method.name, bytes});
      }
    }
  }

  std::vector<flatbuffers::Offset<fb::DataSegment>> segments;
  uint64_t end = 0;
  const auto add_segment = [&](uint64_t size) {
    const uint64_t offset = size == 0 ? end : round_up(end, kSegmentAlignment);
    segments.push_back(fb::CreateDataSegment(builder, offset, size));
    end = offset + size;
    return static_cast<uint32_t>(segments.size() - 1);
  };
  const uint32_t constant_segment = add_segment(constants.size_bytes());
  for (uint32_t i = 1; i <= blobs.count(); ++i) {
    add_segment(blobs.block(i).size());
  }
  std::vector<flatbuffers::Offset<fb::SubsegmentOffsets>> mutable_segments;
  if (state.offsets().size() > 1) {
    mutable_segments.push_back(fb::CreateSubsegmentOffsetsDirect(
        builder, add_segment(state.size_bytes()), &state.offsets()));
  }
  std::vector<flatbuffers::Offset<fb::NamedData>> named_data;
  std::vector<Span<const uint8_t>> named_bytes;
  const auto add_named = [&](const std::string& key, Span<const uint8_t> bytes) {
    named_data.push_back(
        fb::CreateNamedDataDirect(builder, key.c_str(), add_segment(bytes.size())));
    named_bytes.push_back(bytes);
  };
  for (const Named& datum : named) {
    add_named(datum.key, datum.bytes);
  }
  uint64_t delegate_bytes = 0;
  for (const auto& [key, datum] : delegate_data) {
    if (options.external_constants) {
      external.add_opaque(datum);
    } else {
      add_named(key, {datum->bytes, datum->size_bytes});
      delegate_bytes += datum->size_bytes;
    }
  }
  const auto constant_offsets =
      fb::CreateSubsegmentOffsetsDirect(builder, constant_segment, &constants.offsets());
  const std::vector<flatbuffers::Offset<fb::Buffer>> no_buffers;
  const std::vector<flatbuffers::Offset<fb::BackendDelegateInlineData>> no_delegate_data;
  builder.Finish(
      fb::CreateProgramDirect(builder, 0, &plans, &no_buffers, &no_delegate_data, &segments,
                              constant_offsets, &mutable_segments, &named_data),
      fb::ProgramIdentifier());

  EmittedFiles files;
  files.constant_bytes = constants.size_bytes() + external.size_bytes() + delegate_bytes;
  if (options.external_constants) {
    files.data = external.write();
  }
  files.program = with_header(builder, end);
  const size_t base = files.program.size();
  files.program.reserve(base + end);
  const auto pad = [&] {
    files.program.resize(base + round_up(files.program.size() - base, kSegmentAlignment));
  };
  constants.write(&files.program);
  if (blobs.count() != 0) {
    pad();
    blobs.write(&files.program);
  }
  if (state.offsets().size() > 1) {
    pad();
    state.write(&files.program);
  }
  for (const Span<const uint8_t> bytes : named_bytes) {
    if (!bytes.empty()) {
      pad();
      files.program.insert(files.program.end(), bytes.begin(), bytes.end());
    }
  }
  return files;
}

}  // namespace cresset::emitter
