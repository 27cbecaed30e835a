// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace cresset::ops {

// What the rows' traits column says; may be combined with |.
enum Trait : uint16_t {
  kNoTraits = 0,
  kElementwise = 1,  // every output element depends on the input elements at its (broadcast) place
  kInPlace = 2,      // the output may be the very memory of an input of the same dtype and shape
  kReinterprets =
      4,  // a pure re-reading of the input's bytes in their order: no data moves when contiguous
  kRandom = 8,          // results differ from call to call
  kWrites = 16,         // writes into an argument
  kDataDependent = 32,  // output sizes depend on values
  kCommutes = 64,       // the first two arguments may change places
  kHostOnly = 128,      // never on a device
};

}  // namespace cresset::ops
