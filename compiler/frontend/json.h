// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/bytes.h"

namespace cresset::frontend {

class JsonDocument;

// One value of a document and the way to it. Children point to their parents, so a Json must
// outlive those made from it; it is meant to live on the stack of a recursive descent.
//
// Errors stick: the first value that is not what the caller asks for is recorded in the document,
// with its path, and from then on every accessor returns an empty value and every loop ends.
// Callers look at JsonDocument::error() at the end, or wherever wrong data could do harm.
class Json {
 public:
  // The member `key`. Missing is an error for field() and null for optional().
  Json field(std::string_view key) const;
  Json optional(std::string_view key) const;
  bool is_null() const { return absent_ || element_.is_null(); }

  int64_t as_int() const;
  // Accepts integers, and the texts Infinity, -Infinity and NaN.
  double as_double() const;
  bool as_bool() const;
  // Lives as long as the document.
  std::string_view as_text() const;
  bool is_text() const { return !absent_ && element_.is_string(); }

  // Elements of an array; 0 (and an error) where it is none.
  size_t size() const;
  // Calls visit(Json) for each element of an array.
  template <class Visit>
  void each(Visit&& visit) const;
  // Calls visit(std::string_view key, Json) for each member of an object.
  template <class Visit>
  void each_member(Visit&& visit) const;

  // A union is an object with one member: that member's key, and its value by way of `payload`.
  std::string_view tag() const;
  Json payload() const;

  // Records `what` as the document's error, unless there is one already.
  void fail(std::string_view what, Status status = Status::kInvalidExternalData) const;
  bool ok() const;
  // For messages, for instance "graph.nodes[3].inputs[0]".
  std::string path() const;
  JsonDocument& document() const { return *document_; }

 private:
  friend class JsonDocument;
  Json(JsonDocument* document, const Json* parent, std::string_view key, size_t index)
      : document_(document), parent_(parent), key_(key), index_(index) {}
  Json child(simdjson::dom::element element, std::string_view key, size_t index) const {
    Json json(document_, this, key, index);
    json.element_ = element;
    json.absent_ = false;
    return json;
  }
  void wrong_kind(const char* wanted) const;

  JsonDocument* document_;
  const Json* parent_;
  std::string_view key_;
  size_t index_;
  bool absent_ = true;
  simdjson::dom::element element_;
};

// The elements of an array, which must outlive them.
std::vector<Json> items_of(const Json& list);
std::vector<Json> items_of(Json&& list) = delete;

// A parsed JSON text, complete and with bounded depth.
class JsonDocument {
 public:
  // `name` is what messages call the text. Does not keep `text`.
  // Errors: kInvalidExternalData.
  static Expected<std::unique_ptr<JsonDocument>> parse(std::string_view text, std::string name);

  const Json& root() const { return root_; }
  const Error& error() const { return error_; }
  const std::string& name() const { return name_; }
  // Adds to the text of the error, once.
  void annotate(const std::string& text) {
    if (!error_.ok() && !annotated_) {
      annotated_ = true;
      error_.text += text;
    }
  }
  void set_error(Error error) {
    if (error_.ok()) {
      error_ = std::move(error);
    }
  }

 private:
  JsonDocument() : root_(this, nullptr, {}, 0) {}

  std::string name_;
  simdjson::dom::parser parser_;
  Json root_;
  Error error_;
  bool annotated_ = false;
};

template <class Visit>
void Json::each(Visit&& visit) const {
  if (size() == 0) {
    return;
  }
  size_t index = 0;
  for (simdjson::dom::element element : simdjson::dom::array(element_.get_array().value_unsafe())) {
    if (!ok()) {
      return;
    }
    visit(child(element, {}, index));
    ++index;
  }
}

template <class Visit>
void Json::each_member(Visit&& visit) const {
  simdjson::dom::object object;
  if (!ok()) {
    return;
  }
  if (absent_ || element_.get_object().get(object) != simdjson::SUCCESS) {
    wrong_kind("an object");
    return;
  }
  for (simdjson::dom::key_value_pair member : object) {
    if (!ok()) {
      return;
    }
    visit(member.key, child(member.value, member.key, 0));
  }
}

}  // namespace cresset::frontend
