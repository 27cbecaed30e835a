// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/tree_spec.h"

#include <cctype>

#include "compiler/frontend/json.h"

namespace cresset::frontend {

namespace {

bool is_identifier(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) {
    return false;
  }
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
      return false;
    }
  }
  return true;
}

// The keys of a dictionary node, which its context lists as JSON text; empty where it does not.
std::vector<std::string> dictionary_keys(const Json& node) {
  std::vector<std::string> keys;
  const Json type = node.field("type");
  const Json context = node.optional("context");
  if (!type.is_text() || !context.is_text() ||
      (type.as_text() != "builtins.dict" && type.as_text() != "collections.OrderedDict")) {
    return keys;
  }
  Expected<std::unique_ptr<JsonDocument>> list = JsonDocument::parse(context.as_text(), "context");
  if (!list.ok()) {
    return keys;
  }
  (*list)->root().each([&](const Json& key) {
    keys.emplace_back(key.is_text() ? key.as_text() : std::string_view());
  });
  return keys;
}

// Whether there is a container below `node`; a leaf has no type.
bool is_leaf(const Json& node) { return node.optional("type").is_null(); }

void add_leaves(const Json& node, const std::string& name, std::vector<std::string>* names) {
  if (is_leaf(node)) {
    names->push_back(name);
    return;
  }
  const std::vector<std::string> keys = dictionary_keys(node);
  size_t index = 0;
  node.field("children_spec").each([&](const Json& child) {
    const bool keyed = index < keys.size() && is_identifier(keys[index]);
    add_leaves(child, name + (keyed ? "." + keys[index] : "[" + std::to_string(index) + "]"),
               names);
    ++index;
  });
}

// The node of a spec [1, node].
template <class Visit>
Expected<std::vector<std::string>> visit_root(std::string_view spec, Visit&& visit) {
  Expected<std::unique_ptr<JsonDocument>> document = JsonDocument::parse(spec, "tree spec");
  if (!document.ok()) {
    return document.error();
  }
  std::vector<std::string> names;
  size_t index = 0;
  (*document)->root().each([&](const Json& item) {
    if (index == 0 && item.as_int() != 1) {
      item.fail("unknown version", Status::kNotSupported);
    } else if (index == 1) {
      visit(item, &names);
    }
    ++index;
  });
  if (!(*document)->error().ok()) {
    return (*document)->error();
  }
  return names;
}

}  // namespace

Expected<std::vector<std::string>> input_leaf_names(std::string_view spec,
                                                    const std::vector<std::string>& arg_names) {
  return visit_root(spec, [&](const Json& root, std::vector<std::string>* names) {
    size_t position = 0;
    // The root is the pair of positional and keyword arguments.
    root.field("children_spec").each([&](const Json& group) {
      const std::vector<std::string> keys = dictionary_keys(group);
      size_t index = 0;
      group.field("children_spec").each([&](const Json& arg) {
        std::string name = index < keys.size()           ? keys[index]
                           : position < arg_names.size() ? arg_names[position]
                                                         : "arg" + std::to_string(position);
        add_leaves(arg, name, names);
        ++index;
        ++position;
      });
    });
  });
}

Expected<std::vector<std::string>> output_leaf_names(std::string_view spec) {
  return visit_root(spec, [](const Json& root, std::vector<std::string>* names) {
    add_leaves(root, "output", names);
  });
}

}  // namespace cresset::frontend
