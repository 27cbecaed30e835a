// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <flatbuffers/flatbuffers.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "devtools/etdump_recorder.h"
#include "devtools/event_trace.h"
#include "extensions/data/cases.h"
#include "extensions/module/module.h"
#include "kernels/registry.h"
#include "schema/etdump_generated.h"

namespace cresset {
namespace {

uint64_t ticks = 0;
uint64_t tick() { return ++ticks; }

EventSource source(uint32_t instruction, const char* name) {
  EventSource s;
  s.instruction = instruction;
  s.debug_handle = 10 + instruction;
  s.name = name;
  return s;
}

TEST(EventTrace, KeepsTheLatestInOrder) {
  TraceEvent storage[2];
  EventTrace trace{Span<TraceEvent>(storage), tick};
  trace.begin_method("forward");
  for (uint32_t i = 0; i < 3; ++i) {
    trace.begin_instruction(source(i, "a"));
    trace.end_instruction(source(i, "a"));
  }
  trace.end_method("forward");
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace.dropped(), 1u);
  EXPECT_EQ(trace[0].instruction, 1u);
  EXPECT_EQ(trace[1].instruction, 2u);
  EXPECT_EQ(trace[1].debug_handle, 12u);
  EXPECT_EQ(trace[1].run, 1u);
  EXPECT_EQ(trace[1].end_ticks, trace[1].start_ticks + 1);
}

TEST(EventTrace, EventsNest) {
  TraceEvent storage[4];
  EventTrace trace{Span<TraceEvent>(storage), tick};
  trace.begin_method("forward");
  trace.begin_instruction(source(0, "outer"));
  trace.begin_instruction(source(0, "inner"));
  trace.end_instruction(source(0, "inner"));
  trace.end_instruction(source(0, "outer"));
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_STREQ(trace[0].name, "inner");
  EXPECT_LT(trace[1].start_ticks, trace[0].start_ticks);
  EXPECT_GT(trace[1].end_ticks, trace[0].end_ticks);
}

namespace etd = schema::etdump;

TEST(EtdumpRecorder, WritesWhatTheFormatAsks) {
  EtdumpRecorder recorder(/*keep_values=*/true);
  float data[] = {1, 2, 3, 4};
  const int32_t sizes[] = {2, 2};
  LocalTensor tensor(DType::kFloat32, sizes, data, sizeof(data));
  recorder.begin_method("forward");
  recorder.begin_instruction(source(0, "aten::add.out"));
  recorder.value(source(0, "aten::add.out"), 0, Value::of_tensor(&*tensor));
  recorder.end_instruction(source(0, "aten::add.out"));
  recorder.begin_instruction(source(1, "XnnpackBackend"));
  recorder.begin_instruction(source(1, "conv2d"));
  recorder.end_instruction(source(1, "conv2d"));
  recorder.end_instruction(source(1, "XnnpackBackend"));
  recorder.end_method("forward");

  const std::string bytes = recorder.etdump_bytes();
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  flatbuffers::Verifier verifier(begin, bytes.size());
  ASSERT_TRUE(etd::VerifySizePrefixedETDumpBuffer(verifier));
  EXPECT_EQ(bytes.substr(8, 4), "ED00");
  const auto* dump = etd::GetSizePrefixedETDump(begin);
  ASSERT_EQ(dump->run_data()->size(), 1u);
  const auto& events = *dump->run_data()->Get(0)->events();
  std::vector<std::string> names;
  for (const auto* event : events) {
    const auto* profile = event->profile_event();
    names.push_back(profile == nullptr           ? "value"
                    : profile->name() == nullptr ? profile->delegate_debug_id_str()->str()
                                                 : profile->name()->str());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"value", "native_call_add.out", "OPERATOR_CALL",
                                             "conv2d", "DELEGATE_CALL", "Method::execute"}));
  const auto text = [](const flatbuffers::Vector<uint8_t>* list) {
    return std::string(list->begin(), list->end());
  };
  EXPECT_EQ(text(events[3]->profile_event()->delegate_debug_metadata()).substr(0, 12),
            "debug_handle");
  EXPECT_EQ(text(events[4]->profile_event()->delegate_debug_metadata()), "XnnpackBackend");
  const auto* kept = events.Get(0)->debug_event()->debug_entry()->tensor();
  EXPECT_EQ(kept->offset(), 0);
  EXPECT_EQ(kept->strides()->Get(0), 2);
  EXPECT_EQ(recorder.debug_bytes(), std::string(reinterpret_cast<char*>(data), sizeof(data)));
}

// The same events as ExecuTorch's own dump of the same program.
TEST(EtdumpRecorder, AgreesWithExecuTorch) {
  const char* variable = std::getenv("CRESSET_CORPUS");
  const std::string folder =
      std::string(variable != nullptr ? variable : CRESSET_CORPUS_DIR) + "/executorch/etd_mlp/";
  EtdumpRecorder recorder;
  ModuleOptions options;
  options.kernels = {kernels::portable_kernels()};
  options.events = &recorder;
  const auto module = Module::load(folder + "model.pte", options);
  ASSERT_TRUE(module.ok()) << module.error().text;
  const auto cases = data::read_program_cases(folder + "io.safetensors");
  ASSERT_TRUE(cases.ok());
  const auto outputs = (*module)->forward((*cases)[0].inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.error().text;
  const auto bytes = data::FileBytes::open(folder + "run.etdp");
  ASSERT_TRUE(bytes.ok());

  const auto names = [](const uint8_t* dump, uint32_t run) {
    std::vector<std::string> list;
    for (const auto* event : *etd::GetSizePrefixedETDump(dump)->run_data()->Get(run)->events()) {
      const auto* profile = event->profile_event();
      list.push_back(profile->name()->str() + " " + std::to_string(profile->chain_index()) + " " +
                     std::to_string(profile->instruction_id()));
    }
    return list;
  };
  const std::string ours = recorder.etdump_bytes();
  EXPECT_EQ(names(reinterpret_cast<const uint8_t*>(ours.data()), 0),
            names(bytes->bytes().data(), 1));
}

}  // namespace
}  // namespace cresset
