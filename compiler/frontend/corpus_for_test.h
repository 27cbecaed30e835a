// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace cresset::frontend {

// The path of a file of the corpus, which must be unpacked for the tests of this room.
inline std::string corpus_path(const std::string& file) {
  const char* folder = std::getenv("CRESSET_CORPUS");
  return std::string(folder != nullptr ? folder : CRESSET_CORPUS_DIR) + "/" + file;
}

// Its content. Throws, and so fails the test, where it is missing.
inline std::string corpus_file(const std::string& file) {
  std::ifstream in(corpus_path(file), std::ios::binary);
  if (!in) {
    throw std::runtime_error(corpus_path(file) + " is missing; run tools/unpack_corpus");
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace cresset::frontend
