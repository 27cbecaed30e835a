// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/partitioner/backend_compiler.h"
#include "core/error.h"
#include "tests/backend_conformance/interposer.h"
#include "tests/backend_conformance/loaded.h"
#include "tests/backend_conformance/variations.h"
#include "tests/conformance/case_graph.h"

namespace cresset::tests {

// The two halves of the backend on trial.
struct Subject {
  const partitioner::BackendCompiler* compiler;
  Backend* runtime;
};

// The results of a call by the portable kernels, for which calls.outs give dtypes and ranks. An
// error where there is no such call.
Expected<Values> evaluate(const Call& call);

// A graph with what its inputs are to be.
struct Model {
  std::string label;
  std::shared_ptr<ir::Graph> graph;
  std::vector<size_t> input_args;  // of the (first) call
  std::vector<Values> runs;        // inputs, one set a call; state goes on from one to the next
  bool exact = false;              // integers to the last bit
};

// One node whose tensors are inputs; called three times with two sets of inputs. call.outs are
// its results.
Expected<Model> model_of(const Call& call);
// Makes constants of the inputs that came from these arguments; at least one input stays.
void make_constant(Model& model, const std::set<size_t>& args);
// Makes the first input a buffer that becomes the first result; false where their types differ.
bool make_state(Model& model);
// Puts a node behind the first, which takes its first result in the place of its first tensor. An
// error where it does not fit.
Expected<Model> chain_of(const Call& first, const Call& second);
// Makes size `dim` of the first tensor vary, and the sizes that have to follow. An error where
// the operator fixes it or something else than a linear function of it comes out.
Expected<Model> varying(const Call& call, size_t dim);

// A model compiled with the backend and without.
struct Trial {
  Model model;
  compiler::CompileResult ours, plain;
  size_t delegates = 0;
  std::string left;  // why the nodes that no delegate has were left
};
Expected<Trial> compiled(const Subject& subject, Model model);

// The results of the program without the backend; an error where it refuses a set of inputs.
Expected<std::vector<Values>> references(const Trial& trial);
// Why `got` is not what was wanted; empty where it is. Floats may differ by 1e-4 of their size and
// 1e-5 of the largest of the tensor (half precision: 1e-2 and 2e-3); others not at all.
std::string difference(const Values& got, const Values& want, bool exact);

// Runs the program in two instances by turns, in poisoned memory of exactly the size that it needs,
// and compares. Empty where all is well.
std::string run(const Subject& subject, const Trial& trial);

}  // namespace cresset::tests
