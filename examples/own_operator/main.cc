// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0
//
// own_operator PROGRAM.pte: runs a program whose operator my::snake Cresset does not have.

#include <cmath>
#include <cstdio>

#include "extensions/module/module.h"
#include "kernels/registry.h"

using cresset::DType;
using cresset::KernelContext;
using cresset::Status;
using cresset::Tensor;
using cresset::Value;
namespace ops = cresset::ops;

namespace {

// out = x + sin(frequency * x)^2 / frequency, the activation Snake.
Status snake(KernelContext& context, Value* const* args) {
  const Tensor& x = *args[0]->as_tensor();
  const float frequency = static_cast<float>(args[1]->as_scalar().to_double());
  Tensor& out = *args[2]->as_tensor();
  if (x.dtype() != DType::kFloat32 || !x.same_layout(out)) {
    return context.fail(Status::kNotSupported, "x is not float32 in the order of out");
  }
  CRESSET_TRY(out.resize(x.sizes()));
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float wave = std::sin(frequency * x.data<float>()[i]);
    out.mutable_data<float>()[i] = x.data<float>()[i] + wave * wave / frequency;
  }
  return Status::kOk;
}

constexpr ops::ArgCode kSnakeArgs[] = {ops::ArgCode::kTensor, ops::ArgCode::kDouble,
                                       ops::ArgCode::kOutTensor};
constexpr ops::Kernel kMine[] = {
    {"my::snake", "out", snake, nullptr, nullptr, kSnakeArgs, 3, 1, ops::kElementwise}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  cresset::ModuleOptions options;
  options.kernels = {cresset::kernels::portable_kernels(), kMine};
  auto module = cresset::Module::load(argv[1], options);
  if (!module.ok()) return std::fprintf(stderr, "%s\n", module.error().text.c_str()), 1;
  cresset::data::HostTensor x(DType::kFloat32, {2, 3});
  for (int i = 0; i < 6; ++i) x.mutable_data<float>()[i] = static_cast<float>(i) / 2 - 1;
  auto outputs = (*module)->forward({{x}});
  if (!outputs.ok()) return std::fprintf(stderr, "%s\n", outputs.error().text.c_str()), 1;
  std::puts(cresset::data::to_text((*outputs)[0], 6).c_str());
}
