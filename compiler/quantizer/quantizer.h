// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "compiler/quantizer/options.h"
#include "compiler/quantizer/report.h"

namespace cresset::quantizer {

// Quantizes one method in place. Refused, with what to do: an unknown scheme, a graph that is
// quantized already, a scheme that needs calibration data without any, and with options.strict a
// node that stays in float without having been asked to.
ir::Expected<Report> quantize(ir::Graph& graph, const Options& options,
                              const Calibration& calibration, const Context& context);

// An error that lists the schemes, unless `name` is one of them.
ir::Error check_scheme(const std::string& name);
// Whether the scheme, one of those, chooses ranges from calibration data. Such a scheme has scales
// of whole tensors and channels; the others have groups of weights, and no ranges.
bool has_ranges(const std::string& scheme);
// "int8, ...", for texts.
std::string scheme_names();

// One call with made-up inputs of the graph's types: normal numbers, small integers; dimensions
// that are open have their least size.
Calibration random_calibration(const ir::Graph& graph, size_t samples);

}  // namespace cresset::quantizer
