// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/random.h"

#include <atomic>
#include <cmath>

#include "kernels/common/elements.h"

namespace cresset::kernels {

namespace {

// Load and store only: cores without atomic instructions have these. Two threads that start a call
// at the same time may share a stream.
std::atomic<uint32_t> next_stream{0};

}  // namespace

Random::Random() : stream_(next_stream.load(std::memory_order_relaxed)) {
  next_stream.store(stream_ + 1, std::memory_order_relaxed);
}

void Random::refill() {
  uint32_t c[4] = {static_cast<uint32_t>(block_), static_cast<uint32_t>(block_ >> 32), stream_, 0};
  uint32_t key[2] = {0x243f6a88, 0x85a308d3};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * c[0];
    const uint64_t b = uint64_t{0xcd9e8d57} * c[2];
    const uint32_t mixed0 = static_cast<uint32_t>(b >> 32) ^ c[1] ^ key[0];
    const uint32_t mixed2 = static_cast<uint32_t>(a >> 32) ^ c[3] ^ key[1];
    c[0] = mixed0;
    c[1] = static_cast<uint32_t>(b);
    c[2] = mixed2;
    c[3] = static_cast<uint32_t>(a);
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  for (int i = 0; i < 4; ++i) {
    words_[i] = c[i];
  }
  ++block_;
  used_ = 0;
}

uint32_t Random::next() {
  if (used_ == 4) {
    refill();
  }
  return words_[used_++];
}

double Random::uniform(int bits) {
  uint64_t word = next();
  if (bits > 32) {
    word = word << 32 | next();
    return std::ldexp(static_cast<double>(word >> (64 - bits)), -bits);
  }
  return std::ldexp(static_cast<double>(word >> (32 - bits)), -bits);
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2 * std::log1p(-uniform(53)));
  const double angle = 6.283185307179586 * uniform(53);
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Status fill_random(KernelContext& context, Tensor& out, double (*draw)(Random&, DType)) {
  Random random;
  return dispatch_float_elements(context, out.dtype(), [&](auto way) {
    using E = decltype(way);
    const auto elements = elements_of<E>(out);
    for (int64_t i = 0; i < out.numel(); ++i) {
      store(elements, i, static_cast<typename E::Compute>(draw(random, out.dtype())));
    }
    return Status::kOk;
  });
}

}  // namespace cresset::kernels
