// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/describe.h"
#include "cli/text.h"
#include "extensions/data/cases.h"
#include "extensions/data/file_loader.h"
#include "extensions/data/safetensors.h"
#include "runtime/flat_tensor_map.h"
#include "schema/etdump_generated.h"

namespace cresset::cli {

Expected<Description> describe_safetensors(const std::string& path) {
  const auto file = data::Safetensors::open(path);
  if (!file.ok()) {
    return file.error();
  }
  Description out;
  out.kind = "safetensors file";
  uint64_t bytes = 0;
  Description::Section tensors{"tensors", "<<>", {{"key", "type", "bytes"}}};
  for (const data::Safetensors::Entry& entry : file->entries()) {
    tensors.rows.push_back(
        {entry.key, fmt::format("{} [{}]", dtype_text(entry.dtype), fmt::join(entry.sizes, ", ")),
         std::to_string(entry.bytes.size())});
    bytes += entry.bytes.size();
  }
  out.facts.emplace_back(
      "contents",
      fmt::format("{}, {}", count_text(file->entries().size(), "tensor"), bytes_text(bytes)));
  for (const auto& [key, value] : file->metadata()) {
    if (key != "cases") {
      out.facts.emplace_back("metadata " + key, value.substr(0, 100));
    } else if (const auto cases = data::read_program_cases(path); cases.ok()) {
      out.facts.emplace_back("cases", fmt::format("{} of a program", cases->size()));
    } else if (const auto calls = data::read_operator_cases(path); calls.ok()) {
      out.facts.emplace_back("cases", fmt::format("{} of an operator", calls->size()));
    } else {
      out.facts.emplace_back("cases", "malformed: " + calls.error().text);
    }
  }
  out.sections.push_back(std::move(tensors));
  return out;
}

Expected<Description> describe_data_file(const std::string& path) {
  const auto bytes = data::FileBytes::open(path);
  if (!bytes.ok()) {
    return bytes.error();
  }
  data::MappedLoader loader(*bytes);
  FlatTensorMap map;
  MessageBuffer<512> message;
  if (const Status status = map.load(loader, message); status != Status::kOk) {
    return Error{status, path + ": " + message.text()};
  }
  Description out;
  out.kind = "data file (external weights)";
  out.facts.emplace_back("file", bytes_text(bytes->size()));
  Description::Section entries{"entries", "<<>", {{"key", "type", "bytes"}}};
  for (size_t i = 0; i < map.count(); ++i) {
    const auto datum = map.find(map.key(i));
    if (!datum.ok()) {
      return Error{datum.status(), fmt::format("{}: '{}' cannot be read", path, map.key(i))};
    }
    entries.rows.push_back({map.key(i),
                            datum->has_layout
                                ? data::describe(datum->dtype, datum->sizes, datum->dim_order)
                                : std::string("blob"),
                            std::to_string(datum->data.size())});
  }
  out.sections.push_back(std::move(entries));
  return out;
}

namespace {

// What happened; inside a delegate, indented, what the delegate calls it.
std::string event_text(const schema::etdump::ProfileEvent& event) {
  std::string text;
  if (event.name() != nullptr) {
    text = event.name()->str();
  } else if (event.delegate_debug_id_str() != nullptr) {
    text = "  " + event.delegate_debug_id_str()->str();
  } else if (event.delegate_debug_id_int() >= 0) {
    text = "  " + std::to_string(event.delegate_debug_id_int());
  }
  const auto* metadata = event.delegate_debug_metadata();
  const bool readable =
      metadata != nullptr && metadata->size() != 0 && metadata->size() <= 64 &&
      std::all_of(metadata->begin(), metadata->end(), [](uint8_t c) { return c >= 32 && c < 127; });
  return readable ? text + " (" + std::string(metadata->begin(), metadata->end()) + ")" : text;
}

}  // namespace

Expected<Description> describe_etdump(const std::string& path) {
  namespace eb = schema::etdump;
  const auto bytes = data::FileBytes::open(path);
  if (!bytes.ok()) {
    return bytes.error();
  }
  // The size may stand in front of the table.
  const uint8_t* const start = bytes->bytes().data();
  flatbuffers::Verifier verifier(start, bytes->size());
  flatbuffers::Verifier prefixed_verifier(start, bytes->size());
  const bool plain = bytes->size() >= 8 && eb::VerifyETDumpBuffer(verifier);
  if (!plain && !(bytes->size() >= 12 && eb::VerifySizePrefixedETDumpBuffer(prefixed_verifier))) {
    return invalid(path + ": a damaged ETDump");
  }
  const eb::ETDump& dump = plain ? *eb::GetETDump(start) : *eb::GetSizePrefixedETDump(start);
  Description out;
  out.kind = "ETDump (events of runs)";
  const uint32_t runs = dump.run_data() == nullptr ? 0 : dump.run_data()->size();
  out.facts.emplace_back("runs", std::to_string(runs));
  for (uint32_t r = 0; r < runs; ++r) {
    const eb::RunData& run = *dump.run_data()->Get(r);
    const auto* const events = run.events();
    size_t values = 0;
    size_t allocations = 0;
    Description::Section section{
        fmt::format("run {} {}", r, run.name() == nullptr ? "" : run.name()->str()),
        ">>><",
        {{"chain", "instruction", "ticks", "event"}}};
    for (uint32_t e = 0; events != nullptr && e < events->size(); ++e) {
      values += events->Get(e)->debug_event() != nullptr ? 1 : 0;
      allocations += events->Get(e)->allocation_event() != nullptr ? 1 : 0;
      if (const auto* event = events->Get(e)->profile_event()) {
        section.rows.push_back(
            {std::to_string(event->chain_index()), std::to_string(event->instruction_id()),
             std::to_string(event->end_time() - event->start_time()), event_text(*event)});
      }
    }
    if (values > 0) {
      out.facts.emplace_back(fmt::format("values of run {}", r), std::to_string(values));
    }
    if (allocations > 0) {
      out.facts.emplace_back(fmt::format("allocations of run {}", r), std::to_string(allocations));
    }
    out.sections.push_back(std::move(section));
  }
  return out;
}

}  // namespace cresset::cli
