// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "compiler/ir/error.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/schedule.h"

namespace cresset::passes {

// Finds what several methods of one program share: a buffer that one of them writes is the same
// memory in every other that has a constant or buffer of that name. Such constants become buffers.
// After functionalize, before constants are folded. Fails where methods disagree about a shared
// buffer's type or initial contents.
ir::Error find_shared_state(const std::vector<std::shared_ptr<ir::Graph>>& methods);

// Places shared state in arena 1, at equal places in every method that uses some of it. Before
// plan_memory.
void place_shared_state(std::vector<ir::Schedule>* methods);

}  // namespace cresset::passes
