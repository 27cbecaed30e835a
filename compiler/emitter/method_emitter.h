// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/emitter/data_file.h"
#include "compiler/emitter/data_pool.h"
#include "compiler/emitter/emitter.h"
#include "compiler/emitter/input_records.h"
#include "schema/program_generated.h"

namespace cresset::emitter {

namespace fb = ::cresset::schema::program;

// Writes one schedule as an ExecutionPlan into a builder.
class MethodEmitter {
 public:
  // `external` takes the constants instead of `constants` where the options say so. Block n of
  // `blobs`, the code of delegates, becomes segment n of the file.
  MethodEmitter(flatbuffers::FlatBufferBuilder* builder, DataPool* constants, DataPool* state,
                DataPool* blobs, DataFile* external, const EmitOptions& options)
      : b_(*builder),
        constants_(*constants),
        state_(*state),
        blobs_(*blobs),
        external_(*external),
        options_(options) {}

  flatbuffers::Offset<fb::ExecutionPlan> emit(const ir::Schedule& schedule);

  // One u32 for each instruction, 0 for none; the bytes of a named datum.
  const std::vector<uint8_t>& debug_handles() const { return debug_handles_; }
  // What is known about the inputs' dynamic sizes; the bytes of named data.
  const InputRecords& input_records() const { return input_records_; }

 private:
  using ValueIndex = int32_t;

  ValueIndex add_value(fb::KernelTypes type, flatbuffers::Offset<void> value);
  ValueIndex register_value(uint32_t reg);
  ValueIndex tensor_value(const ir::Register& reg);
  ValueIndex literal_value(const ir::Argument& literal);
  ValueIndex int_value(int64_t value);
  ValueIndex operand_value(const ir::Operand& operand, const ops::SchemaArg& arg);
  ValueIndex list_value(const std::vector<ir::Operand>& items, const ops::SchemaArg& arg);
  ValueIndex scratch_value(const ir::Schedule& schedule);
  int32_t operator_index(const ops::OpInfo& info);
  flatbuffers::Offset<fb::Instruction> instruction(const ir::Step& step);
  flatbuffers::Offset<fb::BackendDelegate> delegate(const ir::Delegate& delegate);

  flatbuffers::FlatBufferBuilder& b_;
  DataPool& constants_;
  DataPool& state_;
  DataPool& blobs_;
  DataFile& external_;
  const EmitOptions& options_;
  const ir::Schedule* schedule_ = nullptr;
  std::vector<flatbuffers::Offset<fb::EValue>> values_;
  std::map<uint32_t, ValueIndex> registers_;
  std::map<int64_t, ValueIndex> ints_;
  std::vector<const ops::OpInfo*> operators_;
  std::vector<uint8_t> debug_handles_;
  InputRecords input_records_;
};

}  // namespace cresset::emitter
