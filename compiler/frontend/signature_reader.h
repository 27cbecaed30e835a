// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/graph_reader.h"
#include "compiler/frontend/payloads.h"

namespace cresset::frontend {

// Reads a GraphSignature: what the inputs and outputs of a program's graph are. Errors are recorded
// in the document.
class SignatureReader {
 public:
  // `graph_json` is the program's Graph, `reader` its reader, whose types have been read.
  SignatureReader(const Json& signature, const Json& graph_json, ReadContext* context,
                  Payloads* payloads, GraphReader* reader, ir::Graph* graph)
      : signature_(signature),
        graph_json_(graph_json),
        context_(context),
        payloads_(payloads),
        reader_(reader),
        graph_(graph) {}

  // Makes the graph's inputs, constants and buffers. `paths` names the user inputs in order; where
  // it has another length, they keep the names of the exported graph.
  void read_inputs(const std::vector<std::string>& paths);
  // Makes the graph's outputs and the updates that the signature lists, after the nodes.
  void read_outputs(const std::vector<std::string>& paths);

 private:
  void read_input(const Json& spec, const Json& input);
  void add_user_input(const Json& arg);
  void add_stored(const Json& name_json, std::string_view placeholder, bool written,
                  Payloads::Dictionary dictionary);
  void read_output(const Json& spec, const Json& output);

  const Json& signature_;
  const Json& graph_json_;
  ReadContext* context_;
  Payloads* payloads_;
  GraphReader* reader_;
  ir::Graph* graph_;
  // The buffers that the signature says are written, and their values.
  std::set<std::string, std::less<>> written_;
  std::map<std::string, ir::Value*, std::less<>> buffers_;
  // Every stored tensor by its content.
  std::map<const ir::Constant*, ir::Value*> stored_;
  // User inputs by their names in the exported graph.
  std::map<std::string, size_t, std::less<>> user_inputs_;
};

}  // namespace cresset::frontend
