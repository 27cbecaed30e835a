// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.h"
#include "compiler/quantizer/options.h"
#include "core/error.h"
#include "extensions/data/image.h"

namespace cresset {

// Calibration data for one method, from any number of sources:
//
//   a case file (.safetensors with cases)   the inputs of the method's cases, errors left out
//   .npz, .safetensors                      arrays named like the inputs ("x", "batch.image"); a
//   model
//                                           of one input also takes a file of one array
//   .npy, a picture, .wav                   the only input
//   a folder                                each of the files above in it, in the order of their
//   names random                                  a few calls with made-up numbers
//
// An array of one dimension more than the input, or of several times its fixed first size, holds
// several samples along its first dimension.
Expected<quantizer::Calibration> read_calibration(const ir::Graph& method,
                                                  const std::vector<std::string>& sources,
                                                  const data::ImageOptions& image = {});

}  // namespace cresset
