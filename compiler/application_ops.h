// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/error.h"
#include "ops/op_info.h"

namespace cresset::compiler {

// Schemas of operators that an application brings, from a file of rows in the operator table's
// style:
//
//   // comment
//   OP("my::scale", "", "out", "(Tensor self, float factor=1.0) -> Tensor")
//
// namespace and name, overload, overload of the out variant, schema. The compiler takes their
// results' types from the exported program; the runtime finds their kernels in the application's
// own table.
class ApplicationOps {
 public:
  // Errors name file and line. An operator of our own tables cannot be declared again.
  static ir::Expected<ApplicationOps> read(const std::string& path);
  static ir::Expected<ApplicationOps> parse(std::string text, const std::string& path);

  // Valid as long as any copy of this object lives.
  Span<const ops::OpInfo> ops() const {
    return ops_ == nullptr ? Span<const ops::OpInfo>() : Span<const ops::OpInfo>(*ops_);
  }

 private:
  std::shared_ptr<const std::string> text_;  // what the infos' texts point into
  std::shared_ptr<const std::vector<ops::OpInfo>> ops_;
};

}  // namespace cresset::compiler
