// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/node_origin.h"

#include <algorithm>
#include <vector>

namespace cresset::frontend {

namespace {

constexpr std::string_view kFrame = "File \"";
constexpr std::string_view kLine = "\", line ";
constexpr size_t kMaxCodeBytes = 160;

// Frames of PyTorch's own code and of code that it generated say nothing to the user.
bool is_internal(std::string_view file) {
  return file.empty() || file[0] == '<' || file.substr(0, 6) == "torch/" ||
         file.find("/torch/") != file.npos;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// The frame that starts at kFrame, as "file:line, in function: code".
std::string frame_text(std::string_view frame, std::string_view file) {
  const size_t number_at = kFrame.size() + file.size() + kLine.size();
  const size_t number_end =
      std::min(frame.find_first_not_of("0123456789", number_at), frame.size());
  std::string text(file);
  text += ":";
  text += frame.substr(number_at, number_end - number_at);
  constexpr std::string_view kIn = ", in ";
  if (frame.substr(number_end, kIn.size()) == kIn) {
    text += frame.substr(number_end, std::min(frame.find('\n'), frame.size()) - number_end);
  }
  const size_t newline = frame.find('\n');
  if (newline != frame.npos) {
    const std::string_view below = frame.substr(newline + 1);
    const std::string_view code = trimmed(below.substr(0, below.find('\n')));
    if (!code.empty()) {
      text += ": ";
      text += code.substr(0, kMaxCodeBytes);
    }
  }
  return text;
}

}  // namespace

std::string source_line(std::string_view stack_trace) {
  std::string fallback;
  for (size_t at = stack_trace.rfind(kFrame); at != stack_trace.npos;
       at = at == 0 ? stack_trace.npos : stack_trace.rfind(kFrame, at - 1)) {
    const std::string_view frame = stack_trace.substr(at);
    const size_t file_end = frame.find(kLine);
    if (file_end == frame.npos || file_end > frame.find('\n')) {
      continue;
    }
    const std::string_view file = frame.substr(kFrame.size(), file_end - kFrame.size());
    if (!is_internal(file)) {
      return frame_text(frame, file);
    }
    if (fallback.empty()) {
      fallback = frame_text(frame, file);
    }
  }
  return fallback;
}

std::string module_path(std::string_view nn_module_stack) {
  std::vector<std::string_view> fields = {{}};
  int depth = 0;
  size_t first = 0;
  // Items are joined by ';' and have the fields key,path,type; brackets protect both characters.
  for (size_t i = 0; i <= nn_module_stack.size(); ++i) {
    const char c = i < nn_module_stack.size() ? nn_module_stack[i] : ';';
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if ((c == ',' || c == ';') && (depth <= 0 || i == nn_module_stack.size())) {
      fields.back() = nn_module_stack.substr(first, i - first);
      first = i + 1;
      if (c == ';' && i < nn_module_stack.size()) {
        fields.clear();
      }
      if (i < nn_module_stack.size()) {
        fields.emplace_back();
      }
    }
  }
  // What exporters write where they have no module.
  constexpr std::string_view kNone = "_empty_nn_module_stack";
  if (fields.size() < 3 || fields[1].substr(0, kNone.size()) == kNone) {
    return {};
  }
  return std::string(fields[1]);
}

}  // namespace cresset::frontend
