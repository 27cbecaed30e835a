// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "devtools/etdump_recorder.h"

#include <chrono>
#include <cstring>

#include "schema/etdump_generated.h"

namespace cresset {

namespace etd = schema::etdump;

namespace {

// Tensor contents start at multiples of this in the debug file.
constexpr size_t kDebugAlignment = 64;
// How event files say that an event belongs to no chain.
constexpr int32_t kNoChain = -1;

uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// What a value looked like when it was written.
struct Snapshot {
  Value::Kind kind = Value::Kind::kNone;
  int64_t integer = 0;
  double number = 0;
  struct TensorShot {
    DType dtype;
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
    int64_t offset;
  };
  std::vector<TensorShot> tensors;
};

flatbuffers::Offset<etd::Tensor> write_tensor(flatbuffers::FlatBufferBuilder& builder,
                                              const Snapshot::TensorShot& shot) {
  return etd::CreateTensorDirect(builder, static_cast<schema::ScalarType>(shot.dtype), &shot.sizes,
                                 &shot.strides, shot.offset);
}

flatbuffers::Offset<etd::Value> write_value(flatbuffers::FlatBufferBuilder& builder,
                                            const Snapshot& shot) {
  flatbuffers::Offset<etd::Tensor> tensor;
  flatbuffers::Offset<etd::TensorList> list;
  flatbuffers::Offset<etd::Int> integer;
  flatbuffers::Offset<etd::Double> number;
  flatbuffers::Offset<etd::Bool> truth;
  etd::ValueType type = etd::ValueType::Null;
  if (shot.kind == Value::Kind::kTensor) {
    tensor = write_tensor(builder, shot.tensors[0]);
    type = etd::ValueType::Tensor;
  } else if (shot.kind == Value::Kind::kTensorList) {
    std::vector<flatbuffers::Offset<etd::Tensor>> tensors;
    for (const auto& item : shot.tensors) {
      tensors.push_back(write_tensor(builder, item));
    }
    list = etd::CreateTensorListDirect(builder, &tensors);
    type = etd::ValueType::TensorList;
  } else if (shot.kind == Value::Kind::kInt) {
    integer = etd::CreateInt(builder, shot.integer);
    type = etd::ValueType::Int;
  } else if (shot.kind == Value::Kind::kDouble) {
    number = etd::CreateDouble(builder, shot.number);
    type = etd::ValueType::Double;
  } else if (shot.kind == Value::Kind::kBool) {
    truth = etd::CreateBool(builder, shot.integer != 0);
    type = etd::ValueType::Bool;
  }
  return etd::CreateValue(builder, type, tensor, list, integer, 0, number, truth);
}

}  // namespace

struct EtdumpRecorder::Event {
  std::string name;  // empty for values and for what delegates do inside
  int32_t chain = 0;
  int32_t instruction = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  Snapshot value;
  bool is_value = false;
  std::string delegate_id;  // what a delegate calls that which it did inside
  std::string metadata;     // of a delegate's call its backend, of what is inside a debug handle
};

struct EtdumpRecorder::Run {
  std::vector<Event> events;
  uint64_t start = 0;
};

EtdumpRecorder::EtdumpRecorder(bool keep_values) : keep_values_(keep_values) {}
EtdumpRecorder::~EtdumpRecorder() = default;

void EtdumpRecorder::begin_method(const char* method) {
  (void)method;
  starts_.clear();
  runs_.emplace_back();
  runs_.back().start = now_ns();
}

void EtdumpRecorder::end_method(const char* method) {
  (void)method;
  Run& run = runs_.back();
  run.events.push_back({"Method::execute", kNoChain, 0, run.start, now_ns(), {}, false, {}, {}});
}

void EtdumpRecorder::begin_instruction(const EventSource& source) {
  (void)source;
  starts_.push_back(now_ns());
}

void EtdumpRecorder::end_instruction(const EventSource& source) {
  const uint64_t end = now_ns();
  const uint64_t start = starts_.back();
  starts_.pop_back();
  const int32_t chain = static_cast<int32_t>(source.chain);
  const int32_t instruction = static_cast<int32_t>(source.instruction);
  auto& events = runs_.back().events;
  const auto add = [&](std::string name) {
    events.push_back({std::move(name), chain, instruction, start, end, {}, false, {}, {}});
  };
  if (!starts_.empty()) {
    add("");
    events.back().delegate_id = source.name == nullptr ? "" : source.name;
    events.back().metadata = "debug_handle " + std::to_string(source.debug_handle);
    return;
  }
  // ExecuTorch's inspector finds an operator's name in an event of its own, and the instruction's
  // kind in another.
  const char* name = source.name == nullptr ? "" : source.name;
  const char* without_namespace = std::strstr(name, "::");
  if (without_namespace != nullptr) {
    add(std::string("native_call_") + (without_namespace + 2));
    add("OPERATOR_CALL");
  } else if (std::strcmp(name, "jump") == 0) {
    add("JF_CALL");
  } else if (std::strcmp(name, "move") == 0) {
    add("MOVE_CALL");
  } else if (std::strcmp(name, "free") == 0) {
    add("FREE_CALL");
  } else {
    add("DELEGATE_CALL");
    events.back().metadata = name;
  }
}

void EtdumpRecorder::value(const EventSource& source, uint32_t output_index, const Value& output) {
  (void)output_index;
  Event event;
  event.is_value = true;
  event.chain = static_cast<int32_t>(source.chain);
  event.instruction = static_cast<int32_t>(source.instruction);
  Snapshot& shot = event.value;
  shot.kind = output.kind();
  const auto keep = [&](const Tensor& tensor) {
    debug_.resize((debug_.size() + kDebugAlignment - 1) / kDebugAlignment * kDebugAlignment);
    shot.tensors.push_back({tensor.dtype(),
                            {tensor.sizes().begin(), tensor.sizes().end()},
                            {tensor.strides().begin(), tensor.strides().end()},
                            static_cast<int64_t>(debug_.size())});
    debug_.append(tensor.data<char>(), tensor.nbytes());
  };
  if (output.is_tensor()) {
    keep(*output.as_tensor());
  } else if (output.kind() == Value::Kind::kTensorList) {
    for (const Tensor* item : output.as_tensors()) {
      if (item != nullptr) {
        keep(*item);
      }
    }
  } else if (output.is_number()) {
    shot.integer = output.as_scalar().to_int();
    shot.number = output.as_scalar().to_double();
  }
  runs_.back().events.push_back(std::move(event));
}

std::string EtdumpRecorder::etdump_bytes() const {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<etd::RunData>> runs;
  for (const Run& run : runs_) {
    std::vector<flatbuffers::Offset<etd::Event>> events;
    for (const Event& event : run.events) {
      if (event.is_value) {
        const auto value = write_value(builder, event.value);
        events.push_back(
            etd::CreateEvent(builder, 0, 0,
                             etd::CreateDebugEvent(builder, static_cast<uint64_t>(event.chain),
                                                   event.instruction, value)));
      } else {
        const std::vector<uint8_t> metadata(event.metadata.begin(), event.metadata.end());
        const auto text_or_null = [](const std::string& text) {
          return text.empty() ? nullptr : text.c_str();
        };
        events.push_back(etd::CreateEvent(
            builder, etd::CreateProfileEventDirect(
                         builder, text_or_null(event.name), event.chain, event.instruction, -1,
                         text_or_null(event.delegate_id), metadata.empty() ? nullptr : &metadata,
                         event.start, event.end)));
      }
    }
    runs.push_back(etd::CreateRunDataDirect(builder, "Execute", -1, nullptr, &events));
  }
  builder.FinishSizePrefixed(etd::CreateETDumpDirect(builder, 0, &runs), etd::ETDumpIdentifier());
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

}  // namespace cresset
