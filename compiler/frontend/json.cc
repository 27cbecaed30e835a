// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/json.h"

#include <limits>

namespace cresset::frontend {

namespace {

// A control-flow graph within a graph takes eight levels.
constexpr size_t kMaxDepth = 256;

// Older exporters wrote Infinity and NaN as bare words, which are not JSON: puts them in quotes.
std::string quote_bare_words(std::string_view text) {
  std::string quoted;
  quoted.reserve(text.size() + 64);
  bool in_text = false;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (in_text && c == '\\' && i + 1 < text.size()) {
      quoted.append(text.substr(i, 2));
      i += 2;
      continue;
    }
    in_text ^= c == '"';
    bool replaced = false;
    if (!in_text) {
      for (std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
        if (text.substr(i, word.size()) == word) {
          quoted.append("\"").append(word).append("\"");
          i += word.size();
          replaced = true;
          break;
        }
      }
    }
    if (!replaced) {
      quoted += c;
      ++i;
    }
  }
  return quoted;
}

}  // namespace

Expected<std::unique_ptr<JsonDocument>> JsonDocument::parse(std::string_view text,
                                                            std::string name) {
  std::unique_ptr<JsonDocument> document(new JsonDocument);
  document->name_ = std::move(name);
  simdjson::error_code code = document->parser_.allocate(text.size(), kMaxDepth);
  if (code == simdjson::SUCCESS) {
    code = document->parser_.parse(text.data(), text.size()).get(document->root_.element_);
  }
  if (code != simdjson::SUCCESS && code != simdjson::CAPACITY && code != simdjson::MEMALLOC &&
      (text.find("Infinity") != text.npos || text.find("NaN") != text.npos)) {
    const std::string quoted = quote_bare_words(text);
    code = document->parser_.allocate(quoted.size(), kMaxDepth);
    if (code == simdjson::SUCCESS) {
      code = document->parser_.parse(quoted.data(), quoted.size()).get(document->root_.element_);
    }
  }
  if (code != simdjson::SUCCESS) {
    return Error{Status::kInvalidExternalData,
                 document->name_ + ": not valid JSON: " + simdjson::error_message(code)};
  }
  document->root_.absent_ = false;
  return document;
}

Json Json::optional(std::string_view key) const {
  Json missing(document_, this, key, 0);
  if (!ok()) {
    return missing;
  }
  simdjson::dom::object object;
  if (absent_ || element_.get_object().get(object) != simdjson::SUCCESS) {
    wrong_kind("an object");
    return missing;
  }
  simdjson::dom::element element;
  if (object.at_key(key).get(element) != simdjson::SUCCESS) {
    return missing;
  }
  return child(element, key, 0);
}

Json Json::field(std::string_view key) const {
  Json json = optional(key);
  if (json.absent_ && ok()) {
    fail("the member '" + std::string(key) + "' is missing");
  }
  return json;
}

int64_t Json::as_int() const {
  int64_t value = 0;
  if (ok() && (absent_ || element_.get_int64().get(value) != simdjson::SUCCESS)) {
    wrong_kind("a 64-bit integer");
  }
  return value;
}

double Json::as_double() const {
  double value = 0;
  if (!ok()) {
    return 0;
  }
  if (is_text()) {
    const std::string_view text = as_text();
    if (text == "Infinity") {
      return std::numeric_limits<double>::infinity();
    }
    if (text == "-Infinity") {
      return -std::numeric_limits<double>::infinity();
    }
    if (text == "NaN") {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (absent_ || element_.get_double().get(value) != simdjson::SUCCESS) {
    wrong_kind("a number");
  }
  return value;
}

bool Json::as_bool() const {
  bool value = false;
  if (ok() && (absent_ || element_.get_bool().get(value) != simdjson::SUCCESS)) {
    wrong_kind("true or false");
  }
  return value;
}

std::string_view Json::as_text() const {
  std::string_view value;
  if (ok() && (absent_ || element_.get_string().get(value) != simdjson::SUCCESS)) {
    wrong_kind("a text");
  }
  return value;
}

size_t Json::size() const {
  if (!ok()) {
    return 0;
  }
  simdjson::dom::array array;
  if (absent_ || element_.get_array().get(array) != simdjson::SUCCESS) {
    wrong_kind("a list");
    return 0;
  }
  return array.size();
}

std::string_view Json::tag() const {
  std::string_view tag;
  if (!ok()) {
    return tag;
  }
  simdjson::dom::object object;
  if (absent_ || element_.get_object().get(object) != simdjson::SUCCESS || object.size() != 1) {
    wrong_kind("an object with exactly one member");
    return tag;
  }
  return (*object.begin()).key;
}

Json Json::payload() const {
  const std::string_view key = tag();
  return key.empty() ? Json(document_, this, key, 0) : optional(key);
}

void Json::wrong_kind(const char* wanted) const {
  std::string text = std::string("expected ") + wanted;
  if (!absent_) {
    std::string got = element_.is_array()    ? "a list"
                      : element_.is_object() ? "an object"
                                             : simdjson::minify(element_);
    if (got.size() > 60) {
      got = got.substr(0, 60) + "...";
    }
    text += ", got " + got;
  } else {
    text += ", got nothing";
  }
  fail(text);
}

void Json::fail(std::string_view what, Status status) const {
  if (ok()) {
    document_->set_error({status, document_->name() + ": " + path() + ": " + std::string(what)});
  }
}

bool Json::ok() const { return document_->error().ok(); }

std::string Json::path() const {
  if (parent_ == nullptr) {
    return "top level";
  }
  const std::string above = parent_->parent_ == nullptr ? "" : parent_->path();
  if (key_.empty()) {
    return above + "[" + std::to_string(index_) + "]";
  }
  return above + (above.empty() ? "" : ".") + std::string(key_.substr(0, 80));
}

std::vector<Json> items_of(const Json& list) {
  std::vector<Json> items;
  list.each([&](const Json& item) { items.push_back(item); });
  return items;
}

}  // namespace cresset::frontend
