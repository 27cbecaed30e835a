// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "cli/flags.h"
#include "cli/json.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "extensions/data/cases.h"
#include "extensions/module/value_conversion.h"

namespace cresset::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWarmUps = 3;
constexpr size_t kMinRuns = 10;
constexpr size_t kMaxRuns = 10000;

struct Options {
  ProgramFlags program;
  std::vector<std::string> inputs;
  OutputFlags output;
  std::string cases;
  bool per_op = false;
  double seconds = 2;
};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Sums up the time of instructions by operator, and of what delegates do inside theirs.
class OperatorTimes final : public EventSink {
 public:
  struct Entry {
    uint64_t calls = 0;
    double seconds = 0;
    std::map<std::string, Entry> inside;
  };

  void begin_instruction(const EventSource& source) override {
    const std::string name = source.name == nullptr ? "(control)" : source.name;
    Entry& around = running_.empty() ? all_ : *running_.back().entry;
    running_.push_back({&around.inside[name], Clock::now()});
  }
  void end_instruction(const EventSource&) override {
    Entry& entry = *running_.back().entry;
    ++entry.calls;
    entry.seconds += since(running_.back().start);
    running_.pop_back();
  }
  const Entry& all() const { return all_; }
  void clear() { all_.inside.clear(); }

 private:
  struct Running {
    Entry* entry;
    Clock::time_point start;
  };
  Entry all_;
  std::vector<Running> running_;
};

using NamedEntry = std::pair<std::string, OperatorTimes::Entry>;

// The most expensive first.
std::vector<NamedEntry> by_time(const OperatorTimes::Entry& around) {
  std::vector<NamedEntry> entries(around.inside.begin(), around.inside.end());
  std::sort(entries.begin(), entries.end(), [](const NamedEntry& a, const NamedEntry& b) {
    return a.second.seconds > b.second.seconds;
  });
  return entries;
}

Json operators_json(const OperatorTimes::Entry& around, double runs) {
  Json list = Json::array();
  for (const auto& [name, entry] : by_time(around)) {
    Json json = Json::object();
    json.set("operator", name)
        .set("calls", static_cast<double>(entry.calls) / runs)
        .set("ms", entry.seconds / runs * 1e3);
    if (!entry.inside.empty()) {
      json.set("inside", operators_json(entry, runs));
    }
    list.push(std::move(json));
  }
  return list;
}

void add_rows(const OperatorTimes::Entry& around, double runs, double total,
              const std::string& indent, Table* table) {
  for (const auto& [name, entry] : by_time(around)) {
    table->add({indent + name, fmt::format("{:g}", static_cast<double>(entry.calls) / runs),
                seconds_text(entry.seconds / runs),
                fmt::format("{:.1f} %", 100 * entry.seconds / total)});
    add_rows(entry, runs, total, indent + "  ", table);
  }
}

double percentile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const size_t low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

Expected<std::vector<data::HostValue>> bench_inputs(const Options& options, Module& module) {
  if (options.cases.empty()) {
    return read_inputs(module, options.program.method, options.inputs,
                       options.program.compile.image, "random:1");
  }
  auto cases = data::read_program_cases(options.cases);
  if (!cases.ok()) {
    return cases.error();
  }
  for (data::ProgramCase& c : *cases) {
    if (c.method == options.program.method && !c.expect.error) {
      return std::move(c.inputs);
    }
  }
  return invalid(fmt::format("{}: no case for method '{}'", options.cases, options.program.method));
}

int run(const Options& options) {
  OperatorTimes times;
  const auto session = open_program(options.program, options.per_op ? &times : nullptr);
  if (!session.ok()) {
    return fail(session.error());
  }
  Module& module = (*session)->module();
  const auto inputs = bench_inputs(options, module);
  if (!inputs.ok()) {
    return fail(inputs.error());
  }
  // The first call also loads the method and checks the inputs.
  if (const auto first = module.run(options.program.method, *inputs); !first.ok()) {
    return fail(first.error());
  }
  Method& method = **module.method(options.program.method);
  for (int i = 1; i < kWarmUps; ++i) {
    if (const auto again = module.run(options.program.method, *inputs); !again.ok()) {
      return fail(again.error());
    }
  }
  times.clear();
  std::vector<double> seconds;
  const auto start = Clock::now();
  while (seconds.size() < kMinRuns ||
         (since(start) < options.seconds && seconds.size() < kMaxRuns)) {
    if (const Error refused = module.set_inputs(options.program.method, *inputs); !refused.ok()) {
      return fail(refused);
    }
    const auto begin = Clock::now();
    if (method.execute() != Status::kOk) {
      return fail("a run failed");
    }
    seconds.push_back(since(begin));
  }
  std::sort(seconds.begin(), seconds.end());
  double total = 0;
  for (const auto& [name, entry] : times.all().inside) {
    total += entry.seconds;
  }
  const double runs = static_cast<double>(seconds.size());
  if (options.output.json) {
    Json json = Json::object();
    json.set("runs", static_cast<uint64_t>(seconds.size()))
        .set("median_ms", percentile(seconds, 0.5) * 1e3)
        .set("p10_ms", percentile(seconds, 0.1) * 1e3)
        .set("p90_ms", percentile(seconds, 0.9) * 1e3);
    if (options.per_op) {
      json.set("operators", operators_json(times.all(), runs));
    }
    fmt::print("{}\n", json.text());
    return kDone;
  }
  fmt::print("median {}, p10 {}, p90 {} of {} runs\n", seconds_text(percentile(seconds, 0.5)),
             seconds_text(percentile(seconds, 0.1)), seconds_text(percentile(seconds, 0.9)),
             seconds.size());
  if (options.per_op) {
    Table table("<>>>");
    table.add({"operator", "calls", "time", "share"});
    add_rows(times.all(), runs, total, "", &table);
    fmt::print("{}", table.text());
  }
  return kDone;
}

const VerbRegistration kBench(
    {"bench", "Measure the latency of a program",
     "  cresset bench model.pte --threads 1\n"
     "  cresset bench model.pt2 --cases io.safetensors --per-op",
     60, [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<Options>();
       add_program_flags(app, &options->program);
       add_input_flag(app, &options->inputs);
       add_output_flags(app, &options->output);
       app.add_option("--cases", options->cases, "Inputs: the first case of the method")
           ->type_name("FILE.safetensors");
       app.add_flag("--per-op", options->per_op, "Also a table of operators");
       app.add_option("--seconds", options->seconds, "How long to measure")
           ->capture_default_str()
           ->check(CLI::Range(0.0, 86400.0))
           ->type_name("S");
       return [options] { return run(*options); };
     }});

}  // namespace
}  // namespace cresset::cli
