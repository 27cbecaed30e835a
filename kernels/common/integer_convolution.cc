// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/integer_convolution.h"

#include "kernels/common/convolution_taps.h"
#include "kernels/common/integer_tile.h"

namespace cresset::kernels {

namespace {

constexpr int64_t kRun = kSmallStack ? 16 : 64;  // sums held at once where channels do not mix

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Everything that the loops below share.
struct Job {
  const Convolution& s;
  Differences x;
  Differences weight;
  const int32_t* bias;  // may be null
  const ChannelScales& scales;
  IntegerOut out;

  uint32_t bias_of(int64_t channel) const {
    return bias == nullptr ? 0 : static_cast<uint32_t>(bias[channel]);
  }
};

// Up to kIntegerRows channels of one group.
struct ChannelBlock {
  int64_t first, count;  // of all output channels
  int64_t in, weight;    // offsets of their input channels and of the first one's taps
  Requantizer requantize[kIntegerRows];
};

// Where up to kIntegerLanes outputs lie, in the order of the plane.
struct Positions {
  int64_t at[kIntegerLanes][kMaxSpatial];
  int64_t out[kIntegerLanes];
  int64_t count;
  bool evenly_spaced = true;  // by out_at[2] of the convolution

  Positions(const Convolution& s, int64_t first, int64_t end) : count(end - first) {
    int64_t w = first % s.axis[2].out, h = first / s.axis[2].out % s.axis[1].out;
    int64_t d = first / s.axis[2].out / s.axis[1].out;
    for (int64_t l = 0; l < count; ++l) {
      at[l][0] = d, at[l][1] = h, at[l][2] = w;
      out[l] = d * s.out_at[0] + h * s.out_at[1] + w * s.out_at[2];
      evenly_spaced = evenly_spaced && out[l] == out[0] + l * s.out_at[2];
      if (++w == s.axis[2].out) {
        w = 0;
        if (++h == s.axis[1].out) {
          h = 0, ++d;
        }
      }
    }
  }
};

// Gathers what the taps of all outputs of a tile meet, piece by piece.
class Gatherer {
 public:
  Gatherer(const Job& job, const ChannelBlock& block, const Positions& positions,
           IntegerLanes* lanes, IntegerSums* sums)
      : job_(job), block_(block), positions_(positions), lanes_(lanes), sums_(sums) {
    lanes->count = positions.count;
    lanes->depth = 0;
  }

  void run(int64_t n) {
    const Convolution& s = job_.s;
    const Differences image = job_.x + (n * s.in_batch + block_.in);
    int64_t k[kMaxSpatial];
    for (k[0] = 0; k[0] < s.axis[0].kernel; ++k[0]) {
      for (k[1] = 0; k[1] < s.axis[1].kernel; ++k[1]) {
        for (k[2] = 0; k[2] < s.axis[2].kernel; ++k[2]) {
          if (find_inputs(k)) {
            add_tap(image, k);
          }
        }
      }
    }
    flush();
  }

 private:
  // Sets the offsets of the inputs that a tap meets, negative where it meets none; false where no
  // output meets any.
  bool find_inputs(const int64_t (&k)[kMaxSpatial]) {
    const Convolution& s = job_.s;
    bool any = false;
    for (int64_t l = 0; l < positions_.count; ++l) {
      int64_t offset = 0;
      for (size_t d = 0; d < kMaxSpatial && offset >= 0; ++d) {
        const int64_t from = source(s.axis[d], s.transposed, positions_.at[l][d], k[d]);
        offset = from < 0 ? -1 : offset + from * s.in_at[d];
      }
      inputs_[l] = offset;
      any = any || offset >= 0;
    }
    return any;
  }

  void add_tap(const Differences& image, const int64_t (&k)[kMaxSpatial]) {
    const Convolution& s = job_.s;
    const int64_t tap = k[0] * s.weight_at[0] + k[1] * s.weight_at[1] + k[2] * s.weight_at[2];
    for (int64_t c = 0; c < s.in_channels;) {
      const int64_t count = least(s.in_channels - c, kIntegerDepth - lanes_->depth);
      if (s.in_channel == 1) {
        load_channels(image + c, count);
      } else {
        load_planes(image + c * s.in_channel, count);
      }
      runs_[run_count_++] = {static_cast<int32_t>(tap + c * s.weight_in),
                             static_cast<int32_t>(count)};
      lanes_->depth += count;
      c += count;
      if (lanes_->depth == kIntegerDepth) {
        flush();
      }
    }
  }

  // The next `count` channels of every lane, which lie side by side.
  void load_channels(const Differences& from, int64_t count) {
    for (int64_t l = 0; l < lanes_->count; ++l) {
      int16_t* const to = lanes_->values[l] + lanes_->depth;
      if (inputs_[l] >= 0) {
        load_differences(from + inputs_[l], 1, count, to);
        continue;
      }
      for (int64_t i = 0; i < count; ++i) {
        to[i] = 0;
      }
    }
  }

  // The same where the lanes of one channel are nearer to each other than the channels.
  void load_planes(const Differences& from, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const Differences plane = from + i * job_.s.in_channel;
      int16_t* const to = lanes_->values[0] + lanes_->depth + i;
      for (int64_t l = 0; l < lanes_->count; ++l) {
        to[l * kIntegerDepth] = inputs_[l] >= 0 ? plane[inputs_[l]] : int16_t{0};
      }
    }
  }

  void flush() {
    const Factors factors = {job_.weight + block_.weight, job_.s.weight_out, job_.s.weight_in};
    add_products(factors, block_.count, {runs_, run_count_}, lanes_, sums_);
    lanes_->depth = 0;
    run_count_ = 0;
  }

  const Job& job_;
  const ChannelBlock& block_;
  const Positions& positions_;
  IntegerLanes* lanes_;
  IntegerSums* sums_;
  int64_t inputs_[kIntegerLanes];
  FactorRun runs_[kIntegerDepth];
  size_t run_count_ = 0;
};

void convolve_tile(const Job& job, const ChannelBlock& block, int64_t n,
                   const Positions& positions) {
  IntegerLanes lanes;
  IntegerSums sums;
  for (int64_t r = 0; r < block.count; ++r) {
    for (int64_t l = 0; l < positions.count; ++l) {
      sums.sums[r][l] = job.bias_of(block.first + r);
    }
  }
  Gatherer(job, block, positions, &lanes, &sums).run(n);
  for (int64_t r = 0; r < block.count; ++r) {
    const IntegerOut to = job.out + (n * job.s.out_batch + (block.first + r) * job.s.out_channel);
    if (positions.evenly_spaced) {
      block.requantize[r].run(sums.sums[r], positions.count, to + positions.out[0],
                              job.s.out_at[2]);
      continue;
    }
    for (int64_t l = 0; l < positions.count; ++l) {
      to.store(positions.out[l], block.requantize[r](static_cast<int32_t>(sums.sums[r][l])));
    }
  }
}

// Channels that mix with others, tile by tile.
void convolve_tiles(KernelContext& context, const Job& job) {
  const Convolution& s = job.s;
  const int64_t blocks = (s.out_channels + kIntegerRows - 1) / kIntegerRows;
  const int64_t plane = s.axis[0].out * s.axis[1].out * s.axis[2].out;
  const int64_t tiles = (plane + kIntegerLanes - 1) / kIntegerLanes;
  const int64_t grain = 1 + 65536 / (1 + s.depth() * kIntegerRows * kIntegerLanes);
  context.parallel_for(
      s.groups * blocks * s.batch * tiles, grain, [&](int64_t first, int64_t last) {
        ChannelBlock block = {};
        block.first = -1;
        for (int64_t i = first; i < last; ++i) {
          const int64_t tile = i % tiles, n = i / tiles % s.batch;
          const int64_t b = i / tiles / s.batch;
          const int64_t group = b / blocks, inner = b % blocks * kIntegerRows;
          if (block.first != group * s.out_channels + inner) {
            block.first = group * s.out_channels + inner;
            block.count = least(s.out_channels - inner, kIntegerRows);
            block.in = group * s.in_channels * s.in_channel;
            block.weight = group * s.weight_group + inner * s.weight_out;
            for (int64_t r = 0; r < block.count; ++r) {
              block.requantize[r] = job.scales.of(block.first + r);
            }
          }
          convolve_tile(
              job, block, n,
              Positions(s, tile * kIntegerLanes, least((tile + 1) * kIntegerLanes, plane)));
        }
      });
}

// sums[l * lanes.step] += factors[l * factor_step] * x[l * x_step].
void add_run(const Lanes& lanes, const Differences& x, int64_t x_step, const Differences& factors,
             int64_t factor_step, uint32_t* sums) {
  // A product of one factor of int8 and one difference fits 16 bits: 255 * -128.
  const auto product = [](int16_t factor, int16_t difference) {
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(factor * difference)));
  };
  if (x_step == 1 && lanes.step == 1 && factor_step == 0) {
    const int16_t factor = factors[0];
    for (int64_t l = 0; l < lanes.count; ++l) {
      sums[l] += product(factor, x[l]);
    }
  } else if (x_step == 1 && lanes.step == 1 && factor_step == 1) {
    for (int64_t l = 0; l < lanes.count; ++l) {
      sums[l] += product(factors[l], x[l]);
    }
  } else {
    for (int64_t l = 0; l < lanes.count; ++l) {
      sums[l * lanes.step] += product(factors[l * factor_step], x[l * x_step]);
    }
  }
}

// One plane of outputs from one plane of inputs.
void convolve_plane(const Job& job, int64_t n, int64_t channel) {
  const Convolution& s = job.s;
  const int64_t group = channel / s.out_channels;
  const Requantizer requantize = job.scales.of(channel);
  const Differences in = job.x + (n * s.in_batch + group * s.in_channel);
  const Differences taps =
      job.weight + (group * s.weight_group + channel % s.out_channels * s.weight_out);
  const IntegerOut out = job.out + (n * s.out_batch + channel * s.out_channel);
  for (int64_t d = 0; d < s.axis[0].out; ++d) {
    for (int64_t h = 0; h < s.axis[1].out; ++h) {
      const int64_t row = d * s.out_at[0] + h * s.out_at[1];
      for (int64_t w = 0; w < s.axis[2].out; w += kRun) {
        const int64_t count = least(s.axis[2].out - w, kRun);
        uint32_t sums[kRun];
        for (int64_t l = 0; l < count; ++l) {
          sums[l] = job.bias_of(channel);
        }
        for_each_outer_tap(s, d, h, [&](int64_t weight_from, int64_t in_from) {
          for (int64_t k = 0; k < s.axis[2].kernel; ++k) {
            const Reach to = reach(s.axis[2], s.transposed, w, count, k);
            add_run(to.lanes, in + (in_from + to.from * s.in_at[2]), to.step * s.in_at[2],
                    taps + (weight_from + k * s.weight_at[2]), 0, sums + to.lanes.first);
          }
        });
        requantize.run(sums, count, out + (row + w * s.out_at[2]), s.out_at[2]);
      }
    }
  }
}

// The taps of neighbouring groups side by side, as their inputs lie.
constexpr int64_t kPackedTaps = 25;
struct PackedTaps {
  uint8_t data[kPackedTaps * kRun];

  // Copies those of `count` groups, and describes in `s` where they lie now.
  void pack(const uint8_t* from, int64_t count, Convolution* s) {
    const int64_t kh = s->axis[1].kernel, kw = s->axis[2].kernel;
    uint8_t* to = data;
    for (int64_t tap = 0; tap < s->axis[0].kernel * kh * kw; ++tap) {
      const uint8_t* const first = from + tap / kw / kh * s->weight_at[0] +
                                   tap / kw % kh * s->weight_at[1] + tap % kw * s->weight_at[2];
      for (int64_t l = 0; l < count; ++l) {
        *to++ = first[l * s->weight_group];
      }
    }
    s->weight_at[0] = kh * kw * count;
    s->weight_at[1] = kw * count;
    s->weight_at[2] = count;
    s->weight_group = 1;
  }
};

// One row of outputs where every channel is a group and channels lie side by side in memory.
void convolve_channels(const Job& job, int64_t n, int64_t d, int64_t h) {
  for (int64_t c = 0; c < job.s.groups; c += kRun) {
    Convolution s = job.s;
    const int64_t count = least(s.groups - c, kRun);
    Differences taps = job.weight + c * s.weight_group;
    PackedTaps packed;
    if (s.depth() <= kPackedTaps) {
      packed.pack(taps.data, count, &s);
      taps.data = packed.data;
    }
    Requantizer requantize[kRun];
    for (int64_t l = 0; l < count; ++l) {
      requantize[l] = job.scales.of(c + l);
    }
    const Differences in = job.x + (n * s.in_batch + c);
    const IntegerOut out = job.out + (n * s.out_batch + d * s.out_at[0] + h * s.out_at[1] + c);
    for (int64_t w = 0; w < s.axis[2].out; ++w) {
      uint32_t sums[kRun];
      for (int64_t l = 0; l < count; ++l) {
        sums[l] = job.bias_of(c + l);
      }
      for_each_outer_tap(s, d, h, [&](int64_t weight_from, int64_t in_from) {
        for (int64_t k = 0; k < s.axis[2].kernel; ++k) {
          const int64_t in_w = source(s.axis[2], s.transposed, w, k);
          if (in_w >= 0) {
            add_run({0, 1, count}, in + (in_from + in_w * s.in_at[2]), 1,
                    taps + (weight_from + k * s.weight_at[2]), s.weight_group, sums);
          }
        }
      });
      Requantizer::run_each(requantize, sums, count, out + w * s.out_at[2]);
    }
  }
}

}  // namespace

void convolve_integers(KernelContext& context, const Convolution& s, const Tensor& x,
                       int64_t x_zero, const Tensor& weight, const Tensor* bias,
                       const ChannelScales& scales, Tensor& out) {
  const Job job = {s,
                   Differences(x, x_zero),
                   Differences(weight, 0),
                   bias == nullptr ? nullptr : bias->data<int32_t>(),
                   scales,
                   IntegerOut(out)};
  if (s.in_channels != 1 || s.out_channels >= kTileRows) {
    return convolve_tiles(context, job);
  }
  const int64_t rows = s.axis[0].out * s.axis[1].out;
  if (s.out_channels == 1 && s.in_channel == 1 && s.out_channel == 1) {
    context.parallel_for(s.batch * rows, 1 + 65536 / (1 + s.groups * s.axis[2].out * s.depth()),
                         [&](int64_t first, int64_t last) {
                           for (int64_t i = first; i < last; ++i) {
                             const int64_t row = i % rows;
                             convolve_channels(job, i / rows, row / s.axis[1].out,
                                               row % s.axis[1].out);
                           }
                         });
    return;
  }
  const int64_t channels = s.groups * s.out_channels;
  context.parallel_for(s.batch * channels, 1 + 65536 / (1 + rows * s.axis[2].out * s.depth()),
                       [&](int64_t first, int64_t last) {
                         for (int64_t i = first; i < last; ++i) {
                           convolve_plane(job, i / channels, i % channels);
                         }
                       });
}

}  // namespace cresset::kernels
