// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernel_context.h"
#include "core/tensor.h"
#include "kernels/common/convert.h"
#include "kernels/common/dispatch.h"
#include "kernels/common/loop_nest.h"

// The loops of reductions: over any set of dimensions of any layout. Elements reach an operator in
// chunks, converted to the type it computes in (int64, float or double; bool for truth values), so
// that it is instantiated for three types and not for ten.
namespace cresset::kernels {

// In which order the reduced elements come: as they lie in memory, or row-major, which an operator
// needs that counts them.
enum class Order : uint8_t { kMemory, kLogical };

// What is walked to reduce the dimensions in `mask` (a bit each) of one tensor.
struct Reduction {
  const uint8_t* data = nullptr;
  DType dtype = DType::kFloat32;
  int64_t count = 1;    // elements that one result is made of
  LoopNest<3> kept;     // strides in self, in the first and in the second result
  LoopNest<1> reduced;  // strides in self
  uint8_t* results[2] = {};
};

// `second` may be null. Results have self's other dimensions in order; reduced ones may be there
// with size 1.
Reduction plan_reduction(const Tensor& self, uint32_t mask, Order order, Tensor& first,
                         Tensor* second = nullptr);

// f(self, first, second) for every result: where its elements start, and where it belongs.
template <class F>
void for_each_result(const Reduction& r, F&& f) {
  r.kept.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < r.kept.inner_size(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      f(r.data + offsets[0] + at * r.kept.inner_stride(0),
        r.results[0] + offsets[1] + at * r.kept.inner_stride(1),
        r.results[1] + offsets[2] + at * r.kept.inner_stride(2));
    }
  });
}

// The most elements that reach an operator at a time where they are converted or gathered.
constexpr int64_t kFoldChunk = 64;

// chunk(const C* values, int64_t count) for consecutive pieces of one result's elements.
template <class C, class F>
void for_each_chunk(const Reduction& r, const uint8_t* self, F&& chunk) {
  const int64_t size = r.reduced.inner_size();
  const ptrdiff_t stride = r.reduced.inner_stride(0);
  const bool direct = r.dtype == kDTypeOf<C> && stride == static_cast<ptrdiff_t>(sizeof(C));
  r.reduced.for_each_run([&](const ptrdiff_t* offsets) {
    const uint8_t* const from = self + offsets[0];
    if (direct) {
      chunk(reinterpret_cast<const C*>(from), size);
      return;
    }
    C values[kFoldChunk];
    for (int64_t at = 0; at < size; at += kFoldChunk) {
      const int64_t count = size - at < kFoldChunk ? size - at : kFoldChunk;
      load_run(kDTypeOf<C>, values, r.dtype, from + static_cast<ptrdiff_t>(at) * stride, stride,
               static_cast<size_t>(count));
      chunk(static_cast<const C*>(values), count);
    }
  });
}

// Of folds that see their elements once.
struct OnePass {
  static constexpr int kPasses = 1;
  void begin(int) {}
};

// fold->add(values, count), one copy of it for all that call it.
template <class C, class Fold>
[[gnu::noinline]] void add_piece(Fold* fold, const C* values, int64_t count) {
  fold->add(values, count);
}

// The elements of `lines` neighbouring results, the first of which starts at `self`, given to a
// fold each in the pieces that for_each_chunk makes. They are read across the lines.
template <class C, int64_t kLines, class Fold>
void add_lines(const Reduction& r, const uint8_t* self, int64_t lines, Fold* folds) {
  const int64_t size = r.reduced.inner_size();
  const ptrdiff_t stride = r.reduced.inner_stride(0), across = r.kept.inner_stride(0);
  const bool direct = r.dtype == kDTypeOf<C> && across == static_cast<ptrdiff_t>(sizeof(C));
  r.reduced.for_each_run([&](const ptrdiff_t* offsets) {
    C values[kLines][kFoldChunk];
    for (int64_t at = 0; at < size; at += kFoldChunk) {
      const int64_t count = size - at < kFoldChunk ? size - at : kFoldChunk;
      for (int64_t i = 0; i < count; ++i) {
        const uint8_t* const from = self + offsets[0] + static_cast<ptrdiff_t>(at + i) * stride;
        C converted[kLines];
        if (!direct) {
          load_run(kDTypeOf<C>, converted, r.dtype, from, across, static_cast<size_t>(lines));
        }
        const C* const row = direct ? reinterpret_cast<const C*>(from) : converted;
        for (int64_t line = 0; line < lines; ++line) {
          values[line][i] = row[line];
        }
      }
      for (int64_t line = 0; line < lines; ++line) {
        add_piece<C>(&folds[line], values[line], count);
      }
    }
  });
}

// Makes every result by a copy of `start`: begin(pass) and then add(const C* values, int64_t count)
// for consecutive pieces of the result's elements, Fold::kPasses times; then
// finish(fold, first, second) with where the result belongs. Several results are made at once where
// their elements lie across each other in memory, or are few.
template <class C, class Fold, class F>
void fold_each(const Reduction& r, const Fold& start, F&& finish) {
  constexpr int64_t kLines = sizeof(C) == 8 ? 8 : 16;
  constexpr int64_t kFew = 16;
  const int64_t inner = r.kept.inner_size();
  if (inner == 1 || (r.count >= kFew && r.kept.inner_stride(0) >= r.reduced.inner_stride(0))) {
    for_each_result(r, [&](const uint8_t* self, uint8_t* first, uint8_t* second) {
      Fold fold = start;
      for (int pass = 0; pass < Fold::kPasses; ++pass) {
        fold.begin(pass);
        for_each_chunk<C>(r, self, [&](const C* x, int64_t n) { add_piece<C>(&fold, x, n); });
      }
      finish(fold, first, second);
    });
    return;
  }
  r.kept.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < inner; i += kLines) {
      const int64_t lines = inner - i < kLines ? inner - i : kLines;
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const uint8_t* const self = r.data + offsets[0] + at * r.kept.inner_stride(0);
      uint8_t* first = r.results[0] + offsets[1] + at * r.kept.inner_stride(1);
      uint8_t* second = r.results[1] + offsets[2] + at * r.kept.inner_stride(2);
      Fold folds[kLines];
      for (int64_t line = 0; line < lines; ++line) {
        folds[line] = start;
      }
      for (int pass = 0; pass < Fold::kPasses; ++pass) {
        for (int64_t line = 0; line < lines; ++line) {
          folds[line].begin(pass);
        }
        add_lines<C, kLines>(r, self, lines, folds);
      }
      for (int64_t line = 0; line < lines; ++line) {
        finish(folds[line], first, second);
        first += r.kept.inner_stride(1);
        second += r.kept.inner_stride(2);
      }
    }
  });
}

// A sum of many numbers. Integers wrap. Floats are summed in lanes within a block, and the blocks
// with the rounding error carried along: the error does not grow with the number of blocks.
template <class C>
class Sum {
 public:
  // Adds map(x) for each of the values.
  template <class Map>
  void add(const C* x, int64_t count, Map map) {
    constexpr int64_t kBlock = 512;
    for (int64_t at = 0; at < count; at += kBlock) {
      const int64_t n = count - at < kBlock ? count - at : kBlock;
      add_block(x + at, n, map);
    }
  }
  void add(const C* x, int64_t count) {
    add(x, count, [](C value) { return value; });
  }
  C value() const {
    const C corrected = plus(total_, lost_);
    return corrected == corrected ? corrected : total_;  // infinities leave NaN behind
  }

 private:
  static constexpr int kLanes = 8;

  static C plus(C a, C b) {
    if constexpr (std::is_integral_v<C>) {
      return static_cast<C>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }

  template <class Map>
  void add_block(const C* x, int64_t count, Map map) {
    C sum = 0;
    int64_t i = 0;
    if (count >= kLanes) {
      C lanes[kLanes] = {};
      for (; i + kLanes <= count; i += kLanes) {
        for (int l = 0; l < kLanes; ++l) {
          lanes[l] = plus(lanes[l], map(x[i + l]));
        }
      }
      sum = plus(plus(plus(lanes[0], lanes[4]), plus(lanes[1], lanes[5])),
                 plus(plus(lanes[2], lanes[6]), plus(lanes[3], lanes[7])));
    }
    for (; i < count; ++i) {
      sum = plus(sum, map(x[i]));
    }
    const C before = total_;
    total_ = plus(before, sum);
    if constexpr (!std::is_integral_v<C>) {
      const C added = total_ - before;
      lost_ += (before - (total_ - added)) + (sum - added);
    }
  }

  C total_ = 0;
  C lost_ = 0;
};

}  // namespace cresset::kernels
