// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/html_report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/quantize_flags.h"
#include "cli/step_text.h"
#include "cli/text.h"

namespace cresset::cli {
namespace {

using partitioner::DelegateReport;
using partitioner::kNotDelegated;
using partitioner::MethodReport;
using partitioner::NodeReport;

constexpr int kRowPixels = 22;
constexpr int kLanePixels = 12;
constexpr size_t kMaxLanes = 24;

constexpr char kHead[] = R"(<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>cresset report</title>
<style>
body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
h1{font-size:20px;margin:1.6em 0 .4em}h2{font-size:15px;margin:1.4em 0 .4em}
table{border-collapse:collapse}
td,th{padding:0 12px 0 0;text-align:left;vertical-align:top;white-space:nowrap}
th{font-weight:600;color:#555}td.n,th.n{text-align:right}
.facts{display:flex;flex-wrap:wrap;gap:8px 28px}.facts b{display:block;font-size:18px}
.bar{display:flex;height:14px;max-width:720px;border-radius:3px;overflow:hidden;margin:.8em 0 .4em}
.key{display:inline-block;width:11px;height:11px;border-radius:6px;margin:0 5px 0 0}
.graph{position:relative;overflow-x:auto}.graph svg{position:absolute;left:0;top:22px}
.nodes td,.nodes th{height:22px;line-height:22px;box-shadow:inset 0 -1px #f0f0f0}
.nodes tr:hover td{background:#f5f7fa}
.why{color:#a33}.dim{color:#777}
details{margin:.6em 0}summary{cursor:pointer;color:#555}
input{font:inherit;padding:2px 6px;width:22em;margin:.4em 0}
</style>
<script>
function show(box){const t=box.value.toLowerCase();
for(const r of box.parentNode.querySelectorAll('.nodes tr'))
r.style.opacity=r.textContent.toLowerCase().includes(t)?1:.15}
</script>
)";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  }
  return result;
}

// A hue a backend; neighbouring delegates of one backend differ in lightness.
class Colours {
 public:
  explicit Colours(const MethodReport& report) : report_(report) {
    for (const DelegateReport& delegate : report.delegates) {
      hues_.emplace(delegate.backend, 0);
    }
    int hue = 212;
    for (auto& [backend, its] : hues_) {
      its = hue;
      hue = (hue + 137) % 360;
    }
  }
  std::string of(size_t delegate) const {
    return delegate == kNotDelegated
               ? "#b8b8b8"
               : fmt::format("hsl({},65%,{}%)", hues_.at(report_.delegates[delegate].backend),
                             delegate % 2 == 0 ? 45 : 62);
  }
  const std::map<std::string, int>& hues() const { return hues_; }

 private:
  const MethodReport& report_;
  std::map<std::string, int> hues_;
};

// A lane for each node, as revision graphs are drawn: it is kept until the last use.
std::vector<size_t> lanes_of(const std::vector<NodeReport>& nodes) {
  std::vector<size_t> last_use(nodes.size(), 0), lanes(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const size_t input : nodes[i].inputs) {
      last_use[input] = i;
    }
  }
  std::vector<bool> taken;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const size_t input : nodes[i].inputs) {
      if (last_use[input] == i) {
        taken[lanes[input]] = false;
      }
    }
    size_t lane = 0;
    if (!nodes[i].inputs.empty() && last_use[nodes[i].inputs[0]] == i) {
      lane = lanes[nodes[i].inputs[0]];
    } else {
      while (lane < taken.size() && taken[lane]) {
        ++lane;
      }
    }
    if (lane >= taken.size()) {
      taken.resize(lane + 1);
    }
    lanes[i] = lane;
    taken[lane] = last_use[i] > i;
  }
  return lanes;
}

std::string drawing(const MethodReport& report, const Colours& colours, int* width) {
  const std::vector<size_t> lanes = lanes_of(report.nodes);
  const size_t most = lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end());
  const auto x = [&](size_t node) {
    return static_cast<int>(std::min(lanes[node], kMaxLanes)) * kLanePixels + 8;
  };
  const auto y = [](size_t node) { return static_cast<int>(node) * kRowPixels + kRowPixels / 2; };
  *width = static_cast<int>(std::min(most, kMaxLanes)) * kLanePixels + 22;
  std::string svg = fmt::format("<svg width=\"{}\" height=\"{}\">", *width,
                                static_cast<int>(report.nodes.size()) * kRowPixels);
  for (size_t i = 0; i < report.nodes.size(); ++i) {
    for (const size_t from : report.nodes[i].inputs) {
      const bool same = report.nodes[i].delegate != kNotDelegated &&
                        report.nodes[i].delegate == report.nodes[from].delegate;
      svg += fmt::format(
          "<path d=\"M{} {}V{}C{} {} {} {} {} {}\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"{}\"/>",
          x(from), y(from), y(i) - kRowPixels, x(from), y(i) - kRowPixels / 2, x(i),
          y(i) - kRowPixels / 2, x(i), y(i), same ? colours.of(report.nodes[i].delegate) : "#999",
          same ? 3 : 1);
    }
  }
  for (size_t i = 0; i < report.nodes.size(); ++i) {
    const NodeReport& node = report.nodes[i];
    svg += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>", x(i), y(i),
        node.is_free ? 3 : 5, colours.of(node.delegate), escaped(node.name));
  }
  return svg + "</svg>";
}

// The operators of the steps that a node became, and the libraries that compute them, by its
// handle.
std::map<uint32_t, std::set<std::string>> steps_by_handle(const ir::Schedule& method) {
  std::map<uint32_t, std::set<std::string>> steps;
  for (const ir::Step& step : method.steps) {
    if (step.kind == ir::Step::Kind::kKernel) {
      steps[step.debug_handle].insert(op_text(*step.info) + ", " + kernel_text(*step.info));
    }
  }
  return steps;
}

std::string node_rows(const MethodReport& report, const ir::Schedule& method,
                      const Colours& colours, int indent) {
  const auto steps = steps_by_handle(method);
  std::string html;
  for (const NodeReport& node : report.nodes) {
    std::string who;
    if (node.delegate != kNotDelegated) {
      who = fmt::format("<span class=key style=\"background:{}\"></span>{} #{}",
                        colours.of(node.delegate), escaped(report.delegates[node.delegate].backend),
                        node.delegate);
    } else if (const auto found = steps.find(node.debug_handle); found != steps.end()) {
      who = fmt::format("<span class=dim>{}</span>",
                        escaped(fmt::format("{}", fmt::join(found->second, "; "))));
    } else {
      who = "<span class=dim>no step</span>";
    }
    html += fmt::format(
        "<tr><td style=\"padding-left:{}px\">{}{}<td>{}<td>{}<td>{}<td class=why>{}<td class=dim>{}"
        "</tr>\n",
        indent, node.body.empty() ? "" : escaped(node.body) + " / ", escaped(node.name),
        escaped(node.op), escaped(node.type), who,
        node.reason.empty() ? "" : "left: " + escaped(node.reason), escaped(node.source.line));
  }
  return html;
}

std::string share_bar(const MethodReport& report, const Colours& colours) {
  std::map<std::string, size_t> shares;
  for (const NodeReport& node : report.nodes) {
    ++shares[node.delegate == kNotDelegated ? "" : report.delegates[node.delegate].backend];
  }
  std::string bar = "<div class=bar>";
  std::string legend = "<div>";
  for (const auto& [backend, count] : shares) {
    const std::string colour =
        backend.empty() ? "#b8b8b8" : fmt::format("hsl({},65%,45%)", colours.hues().at(backend));
    bar += fmt::format("<div style=\"flex:{};background:{}\"></div>", count, colour);
    legend +=
        fmt::format("<span class=key style=\"background:{}\"></span>{}: {} &nbsp; ", colour,
                    backend.empty() ? "kernels" : escaped(backend), count_text(count, "node"));
  }
  return bar + "</div>" + legend + "</div>\n";
}

std::string delegate_table(const MethodReport& report, const Colours& colours) {
  if (report.delegates.empty()) {
    return "";
  }
  std::string html =
      "<h2>Delegates</h2><table><tr><th>#<th>backend<th class=n>nodes<th class=n>blob<th class=n>"
      "data<th>inputs<th>outputs<th>notes</tr>\n";
  for (size_t i = 0; i < report.delegates.size(); ++i) {
    const DelegateReport& delegate = report.delegates[i];
    const auto lines = [](const std::vector<std::string>& texts) {
      return escaped(fmt::format("{}", fmt::join(texts, "\n")));
    };
    html += fmt::format(
        "<tr><td>{}<td><span class=key style=\"background:{}\"></span>{}<td class=n>{}<td class=n>"
        "{}<td class=n>{}<td style=\"white-space:pre\">{}<td style=\"white-space:pre\">{}"
        "<td style=\"white-space:pre\">{}</tr>\n",
        i, colours.of(i), escaped(delegate.id), delegate.node_count,
        bytes_text(delegate.blob_bytes), bytes_text(delegate.data_bytes), lines(delegate.inputs),
        lines(delegate.outputs), lines(delegate.notes));
  }
  return html + "</table>\n";
}

// Why nodes are left, the most frequent reason first.
std::string reasons_table(const MethodReport& report) {
  std::map<std::pair<std::string, std::string>, size_t> counts;
  for (const NodeReport* node : report.left()) {
    if (!node->reason.empty()) {
      ++counts[{node->op, node->reason}];
    }
  }
  if (counts.empty()) {
    return "";
  }
  std::vector<std::pair<size_t, std::pair<std::string, std::string>>> rows;
  for (const auto& [what, count] : counts) {
    rows.emplace_back(count, what);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string html = "<h2>Left to kernels</h2><table><tr><th class=n>nodes<th>operator<th>why</tr>";
  for (const auto& [count, what] : rows) {
    html += fmt::format("<tr><td class=n>{}<td>{}<td class=why>{}</tr>\n", count,
                        escaped(what.first), escaped(what.second));
  }
  return html + "</table>\n";
}

std::string step_table(const ir::Schedule& method) {
  std::string html = fmt::format(
      "<details><summary>{} and their memory</summary><table><tr><th class=n>#<th>operator<th>"
      "output<th class=n>bytes<th>memory<th>source</tr>\n",
      count_text(method.steps.size(), "step"));
  for (size_t i = 0; i < method.steps.size(); ++i) {
    const ir::Step& step = method.steps[i];
    std::string types, bytes, memory;
    for_each_output(step, [&](uint32_t index) {
      const ir::Register& reg = method.registers[index];
      types += escaped(type_text(reg)) + "<br>";
      bytes += std::to_string(reg.size_bytes) + "<br>";
      memory += escaped(storage_text(reg)) + "<br>";
    });
    html += fmt::format("<tr><td class=n>{}<td>{}<td>{}<td class=n>{}<td>{}<td class=dim>{}</tr>\n",
                        i, escaped(step_text(method, step)), types, bytes, memory,
                        escaped(step.source.line));
  }
  return html + "</table></details>\n";
}

std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("<div><b>{}</b>{}</div>", escaped(value), escaped(name));
}

}  // namespace

std::string html_report(const compiler::CompileResult& result) {
  std::string html = kHead;
  html += "<div class=facts>" + fact("program file", bytes_text(result.program.size())) +
          fact("constants", bytes_text(result.constant_bytes)) +
          (result.data.empty() ? "" : fact("external weights", bytes_text(result.data.size()))) +
          "</div>\n";
  for (size_t m = 0; m < result.methods.size(); ++m) {
    const ir::Schedule& method = result.methods[m];
    const MethodReport& report = result.delegation[m];
    const Colours colours(report);
    const size_t taken = static_cast<size_t>(
        std::count_if(report.nodes.begin(), report.nodes.end(),
                      [](const NodeReport& node) { return node.delegate != kNotDelegated; }));
    html +=
        fmt::format("<h1>{}</h1><div class=facts>", escaped(method.name)) +
        fact("nodes", std::to_string(report.nodes.size())) +
        fact("delegated", std::to_string(taken)) +
        fact("delegates", std::to_string(report.delegates.size())) +
        fact("steps", std::to_string(method.steps.size())) +
        fact("activations", bytes_text(method.arena_bytes.empty() ? 0 : method.arena_bytes[0])) +
        fact("lower bound of any plan", bytes_text(method.lower_bound_bytes)) +
        fact("scratch", bytes_text(method.scratch_bytes)) + "</div>\n";
    html += share_bar(report, colours) + reasons_table(report) + delegate_table(report, colours);
    int width = 0;
    const std::string svg = drawing(report, colours, &width);
    html +=
        "<h2>Nodes</h2><div><input placeholder=\"find a node, an operator, a source line\" "
        "oninput=\"show(this)\"><div class=graph>" +
        svg + "<table class=nodes>" + node_rows(report, method, colours, width) +
        "</table></div></div>\n" + step_table(method);
  }
  return html + quantization_html(result.quantization) + "</html>\n";
}

}  // namespace cresset::cli
