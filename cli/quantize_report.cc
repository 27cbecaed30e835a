// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/quantize_flags.h"
#include "cli/text.h"

namespace cresset::cli {
namespace {

using quantizer::NodeReport;
using quantizer::OutputReport;
using quantizer::Report;

std::string db_text(const std::optional<double>& db) {
  return db ? fmt::format("{:.1f}", *db) : std::string();
}

std::string range_text(const NodeReport& node) {
  return node.qparams ? fmt::format("[{:.4g}, {:.4g}]", node.low, node.high) : std::string();
}

std::string qparams_text(const NodeReport& node) {
  return node.qparams ? fmt::format("{:.6g} from {}", node.qparams->scale, node.qparams->zero)
                      : std::string();
}

size_t quantized_count(const Report& report) {
  return static_cast<size_t>(std::count_if(report.nodes.begin(), report.nodes.end(),
                                           [](const NodeReport& node) { return node.quantized; }));
}

std::string outputs_text(const Report& report) {
  std::string text;
  for (const OutputReport& output : report.outputs) {
    text +=
        fmt::format("{}{}: SQNR {:.1f} dB", text.empty() ? "" : "; ", output.name, output.sqnr_db);
    if (output.top1_agreement) {
      text += fmt::format(", top-1 agreement {:.1f} %", *output.top1_agreement * 100);
    }
  }
  return text;
}

Json optional_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json node_json(const NodeReport& node) {
  Json warnings = Json::array();
  for (const std::string& warning : node.warnings) {
    warnings.push(warning);
  }
  Json json = Json::object()
                  .set("name", node.node)
                  .set("operator", node.op)
                  .set("module", node.module)
                  .set("source", node.source)
                  .set("debug_handle", node.debug_handle)
                  .set("quantized", node.quantized)
                  .set("scheme", node.scheme)
                  .set("reason", node.reason);
  if (node.qparams) {
    json.set("min", node.low)
        .set("max", node.high)
        .set("scale", node.qparams->scale)
        .set("zero_point", node.qparams->zero);
  }
  return json.set("sqnr_db", optional_json(node.sqnr_db))
      .set("total_sqnr_db", optional_json(node.total_sqnr_db))
      .set("weight_sqnr_db", optional_json(node.weight_sqnr_db))
      .set("warnings", std::move(warnings));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

}  // namespace

std::string quantization_text(const std::vector<Report>& reports, bool verbose) {
  std::string text;
  for (const Report& report : reports) {
    const std::string outputs = outputs_text(report);
    text += fmt::format("{}: {}, {} of {} quantized{}{}\n", report.method, report.scheme,
                        quantized_count(report), count_text(report.nodes.size(), "float node"),
                        outputs.empty() ? "" : "; on the calibration data, ", outputs);
    Table nodes("<<>>>>>><");
    nodes.add({"node", "operator", "range", "scale, zero", "SQNR dB", "in all", "weights", "", ""});
    for (const NodeReport& node : report.nodes) {
      std::string remark = node.quantized ? node.scheme : "float: " + node.reason;
      for (const std::string& warning : node.warnings) {
        remark += "; " + warning;
      }
      nodes.add({node.node, node.op, range_text(node), qparams_text(node), db_text(node.sqnr_db),
                 db_text(node.total_sqnr_db), db_text(node.weight_sqnr_db), "", remark});
    }
    if (verbose) {
      text += nodes.text("  ");
    }
  }
  return text;
}

Json quantization_json(const std::vector<Report>& reports) {
  Json methods = Json::array();
  for (const Report& report : reports) {
    Json outputs = Json::array();
    for (const OutputReport& output : report.outputs) {
      outputs.push(Json::object()
                       .set("name", output.name)
                       .set("sqnr_db", output.sqnr_db)
                       .set("top1_agreement", optional_json(output.top1_agreement)));
    }
    Json nodes = Json::array();
    for (const NodeReport& node : report.nodes) {
      nodes.push(node_json(node));
    }
    Json warnings = Json::array();
    for (const std::string& warning : report.warnings) {
      warnings.push(warning);
    }
    methods.push(Json::object()
                     .set("method", report.method)
                     .set("scheme", report.scheme)
                     .set("samples", report.samples)
                     .set("outputs", std::move(outputs))
                     .set("nodes", std::move(nodes))
                     .set("warnings", std::move(warnings)));
  }
  return methods;
}

std::string quantization_html(const std::vector<Report>& reports) {
  std::string html;
  for (const Report& report : reports) {
    html +=
        fmt::format("<h2>Quantization of {}: {}</h2><p>{} of {} quantized. {}</p>\n",
                    escaped(report.method), escaped(report.scheme), quantized_count(report),
                    count_text(report.nodes.size(), "float node"), escaped(outputs_text(report)));
    for (const std::string& warning : report.warnings) {
      html += fmt::format("<p class=why>{}</p>\n", escaped(warning));
    }
    html +=
        "<table><tr><th>node<th>operator<th>scheme<th class=n>range<th class=n>scale, zero<th "
        "class=n>SQNR dB<th class=n>in all<th class=n>weights<th>remarks<th>source</tr>\n";
    for (const NodeReport& node : report.nodes) {
      html += fmt::format(
          "<tr><td>{}<td>{}<td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td "
          "class=n>{}<td class=why>{}<td class=dim>{}</tr>\n",
          escaped(node.node), escaped(node.op), node.quantized ? escaped(node.scheme) : "float",
          range_text(node), qparams_text(node), db_text(node.sqnr_db), db_text(node.total_sqnr_db),
          db_text(node.weight_sqnr_db),
          escaped(node.reason.empty() ? fmt::format("{}", fmt::join(node.warnings, "; "))
                                      : node.reason),
          escaped(node.source));
    }
    html += "</table>\n";
  }
  return html;
}

}  // namespace cresset::cli
