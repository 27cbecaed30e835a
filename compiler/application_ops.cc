// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/application_ops.h"

#include <fstream>
#include <sstream>
#include <string_view>

#include "ops/op.h"

namespace cresset::compiler {

namespace {

// Reads `OP("a", "b", ...)` from the start of `line`: the quoted texts, or nothing.
std::vector<std::string_view> quoted_texts(std::string_view line) {
  std::vector<std::string_view> texts;
  for (size_t at = line.find('"'); at != std::string_view::npos; at = line.find('"', at)) {
    const size_t end = line.find('"', at + 1);
    if (end == std::string_view::npos) {
      return {};
    }
    texts.push_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return texts;
}

}  // namespace

ir::Expected<ApplicationOps> ApplicationOps::parse(std::string text, const std::string& path) {
  ApplicationOps result;
  const auto kept = std::make_shared<const std::string>(std::move(text));
  auto ops = std::make_shared<std::vector<ops::OpInfo>>();
  std::string_view rest = *kept;
  for (int number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line.substr(start).starts_with("//")) {
      continue;
    }
    const auto bad = [&](const std::string& what) {
      return ir::error(Status::kInvalidArgument, path + ":" + std::to_string(number) + ": " + what);
    };
    const std::vector<std::string_view> texts = quoted_texts(line);
    if (!line.substr(start).starts_with("OP(") || texts.size() != 4) {
      return bad("expected OP(\"ns::name\", \"overload\", \"out overload\", \"schema\")");
    }
    ops::OpInfo info{ops::Op::kCount, texts[0], texts[0],
                     texts[1],        texts[2], ops::kNoTraits,
                     false,           "",       ops::parse_schema(texts[3])};
    if (!info.schema.valid) {
      return bad("the schema does not parse: " + std::string(texts[3]));
    }
    if (info.name.find("::") == std::string_view::npos) {
      return bad("'" + std::string(info.name) + "' has no namespace (my::name)");
    }
    if (ops::find_op(info.name, info.overload) != nullptr) {
      return bad("'" + std::string(info.name) + "' is an operator of Cresset's own");
    }
    ops->push_back(info);
  }
  result.text_ = kept;
  result.ops_ = ops;
  return result;
}

ir::Expected<ApplicationOps> ApplicationOps::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return ir::error(Status::kAccessFailed, "cannot read '" + path + "'");
  }
  return parse(text.str(), path);
}

}  // namespace cresset::compiler
