// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Every inference rule, for the two files that instantiate them (ops/runtime_infer.cc and
// compiler/ir/infer.cc).
#include "ops/infer_conv.h"
#include "ops/infer_create.h"
#include "ops/infer_elementwise.h"
#include "ops/infer_index.h"
#include "ops/infer_integer.h"
#include "ops/infer_matmul.h"
#include "ops/infer_nn.h"
#include "ops/infer_numerics.h"
#include "ops/infer_quantize.h"
#include "ops/infer_rearrange.h"
#include "ops/infer_reduce.h"
#include "ops/infer_shape.h"
