// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "core/span.h"
#include "ops/op_info.h"

namespace cresset::frontend {

struct ImportOptions {
  // Which program of the archive; empty: the only one.
  std::string program;
  // Operators that the application brings, looked up after our own. Must outlive the graph.
  Span<const ops::OpInfo> application_ops;
};

// A program as the file has it, nothing simplified yet:
//  - parameters, buffers and tensor constants are constants, whose bytes lie where the file has
//  them
//    (the graph keeps the file mapped); only buffers that the file lists as written are buffers;
//  - in-place nodes are marked Node::in_place and call the functional operator, unless the in-place
//    one has an entry of its own; they may write into constants;
//  - wrappers such as set_grad_enabled are gone, bodies of control flow are graphs in arguments;
//  - values keep the names of the exported graph; inputs are called by their paths ("batch.image").
struct ImportedProgram {
  std::shared_ptr<ir::Graph> graph;
  std::string torch_version;  // as written, for instance "2.13.0"; may be empty
  // The exporter says that no node writes to memory (after run_decompositions()). A hint.
  bool functional = false;
};

// Reads one program of a torch.export archive. `path` also is what messages call it.
// Errors: kAccessFailed (cannot be read), kNotSupported (another kind of file, or a part of the
// program that we do not have; with the remedy), kOperatorMissing (all missing operators, one a
// line), kInvalidExternalData (damaged), kOutOfResources, kMemoryAllocationFailed. Never crashes on
// any content; time and memory are bounded by the file's size.
ir::Expected<ImportedProgram> import_program(const std::string& path,
                                             const ImportOptions& options = {});
// The same for a file in memory; `bytes` is copied.
ir::Expected<ImportedProgram> import_program_bytes(std::string bytes, const std::string& name,
                                                   const ImportOptions& options = {});

// The names of the programs in an archive, sorted.
ir::Expected<std::vector<std::string>> program_names(const std::string& path);

}  // namespace cresset::frontend
