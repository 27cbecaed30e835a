// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0
//
// embed MODEL.pt2|PROGRAM.pte: runs a model of an image on a grey picture.

#include <cstdio>

#include "extensions/session/session.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto session = cresset::Session::open(argv[1]);
  if (!session.ok()) return std::fprintf(stderr, "%s\n", session.error().text.c_str()), 1;
  cresset::data::HostTensor image(cresset::DType::kFloat32, {1, 3, 224, 224});
  for (int64_t i = 0; i < image.numel(); ++i) image.mutable_data<float>()[i] = 0.5f;
  auto outputs = (*session)->forward({{image}});
  if (!outputs.ok()) return std::fprintf(stderr, "%s\n", outputs.error().text.c_str()), 1;
  for (const auto& output : *outputs) std::puts(cresset::data::to_text(output, 10).c_str());
}
