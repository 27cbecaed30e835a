// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/compare.h"

#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace cresset::data {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far beyond the tolerance: <= 0 where the numbers agree.
double excess(double got, double want, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(want)) {
    return std::isnan(got) && std::isnan(want) ? 0 : kInfinity;
  }
  if (std::isinf(got) || std::isinf(want)) {
    return got == want ? 0 : kInfinity;
  }
  const double beyond = std::abs(got - want) - (tolerance.atol + tolerance.rtol * std::abs(want));
  return got == want ? 0 : beyond;
}

double excess(Complex<double> got, Complex<double> want, Tolerance tolerance) {
  if (std::isfinite(got.re) && std::isfinite(got.im) && std::isfinite(want.re) &&
      std::isfinite(want.im)) {
    return std::hypot(got.re - want.re, got.im - want.im) -
           (tolerance.atol + tolerance.rtol * std::hypot(want.re, want.im));
  }
  const bool got_nan = std::isnan(got.re) || std::isnan(got.im);
  const bool want_nan = std::isnan(want.re) || std::isnan(want.im);
  if (got_nan || want_nan) {
    return got_nan && want_nan ? 0 : kInfinity;
  }
  return std::max(excess(got.re, want.re, tolerance), excess(got.im, want.im, tolerance));
}

template <class T>
double element_excess(const T& got, const T& want, Tolerance tolerance) {
  if constexpr (std::is_integral_v<T>) {
    return got == want ? 0 : std::abs(static_cast<double>(got) - static_cast<double>(want)) + 1;
  } else if constexpr (std::is_same_v<T, Opaque8>) {
    return got.bits == want.bits ? 0 : 1;
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half> ||
                       std::is_same_v<T, BFloat16>) {
    return excess(static_cast<double>(got), static_cast<double>(want), tolerance);
  } else {
    return excess(Complex<double>{static_cast<double>(got.re), static_cast<double>(got.im)},
                  Complex<double>{static_cast<double>(want.re), static_cast<double>(want.im)},
                  tolerance);
  }
}

struct Worst {
  int64_t count = 0;  // elements that differ
  int64_t index = 0;
  double excess = 0;
};

template <class T>
Worst find_worst(Span<const uint8_t> got, Span<const uint8_t> want, Tolerance tolerance) {
  Worst worst;
  const int64_t count = static_cast<int64_t>(want.size() / sizeof(T));
  for (int64_t i = 0; i < count; ++i) {
    T a;
    T b;
    if constexpr (std::is_same_v<T, bool>) {
      a = got[i] != 0;
      b = want[i] != 0;
    } else {
      std::memcpy(&a, got.data() + i * sizeof(T), sizeof(T));
      std::memcpy(&b, want.data() + i * sizeof(T), sizeof(T));
    }
    const double beyond = element_excess(a, b, tolerance);
    if (beyond > 0) {
      ++worst.count;
      if (beyond > worst.excess) {
        worst.excess = beyond;
        worst.index = i;
      }
    }
  }
  return worst;
}

Worst find_worst(DType dtype, Span<const uint8_t> got, Span<const uint8_t> want,
                 Tolerance tolerance) {
  switch (dtype) {
#define DTYPE(name, text, type, number, bytes, category) \
  case DType::name:                                      \
    return find_worst<CType<DType::name>>(got, want, tolerance);
#include "core/dtype.def"
#undef DTYPE
  }
  return {};
}

std::vector<int64_t> position_of(int64_t index, const std::vector<int32_t>& sizes) {
  std::vector<int64_t> position(sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) {
    position[d] = index % sizes[d];
    index /= sizes[d];
  }
  return position;
}

std::optional<std::string> shape_mismatch(const HostTensor& got, const HostTensor& want) {
  if (got.dtype() == want.dtype() && got.sizes() == want.sizes()) {
    return std::nullopt;
  }
  return fmt::format("got {}, want {}", describe(got.dtype(), got.sizes(), {}),
                     describe(want.dtype(), want.sizes(), {}));
}

std::optional<std::string> tensor_mismatch(const HostTensor& got, const HostTensor& want,
                                           Tolerance tolerance) {
  if (auto why = shape_mismatch(got, want)) {
    return why;
  }
  std::vector<uint8_t> got_copy;
  std::vector<uint8_t> want_copy;
  const auto row_major = [](const HostTensor& tensor,
                            std::vector<uint8_t>& copy) -> Span<const uint8_t> {
    if (tensor.is_row_major()) {
      return tensor.bytes();
    }
    copy.resize(tensor.size_bytes());
    tensor.copy_row_major(copy);
    return copy;
  };
  const Span<const uint8_t> a = row_major(got, got_copy);
  const Span<const uint8_t> b = row_major(want, want_copy);
  const Worst worst = find_worst(want.dtype(), a, b, tolerance);
  if (worst.count == 0) {
    return std::nullopt;
  }
  return fmt::format("{} of {} elements differ, worst at [{}]: got {}, want {}", worst.count,
                     want.numel(), fmt::join(position_of(worst.index, want.sizes()), ", "),
                     element_text(want.dtype(), a, worst.index),
                     element_text(want.dtype(), b, worst.index));
}

// Lists item by item, tensors by `compare_tensors`, everything else by `compare_numbers` (both of
// the same kind).
template <class Tensors, class Others>
std::optional<std::string> walk(const HostValue& got, const HostValue& want, Tensors&& tensors,
                                Others&& others) {
  if (got.value.index() != want.value.index()) {
    return fmt::format("got {}, want {}", describe(got), describe(want));
  }
  if (const auto* want_list = want.get<HostValue::List>()) {
    const auto& got_list = *got.get<HostValue::List>();
    if (got_list.size() != want_list->size()) {
      return fmt::format("got {}, want {}", describe(got), describe(want));
    }
    for (size_t i = 0; i < want_list->size(); ++i) {
      if (auto why = walk(got_list[i], (*want_list)[i], tensors, others)) {
        return fmt::format("item {}: {}", i, *why);
      }
    }
    return std::nullopt;
  }
  if (const auto* tensor = want.get<HostTensor>()) {
    return tensors(*got.get<HostTensor>(), *tensor);
  }
  return others(got, want);
}

bool agree(const HostValue& got, const HostValue& want, Tolerance tolerance) {
  if (const auto* number = want.get<double>()) {
    return excess(*got.get<double>(), *number, tolerance) <= 0;
  }
  if (const auto* number = want.get<Complex<double>>()) {
    return excess(*got.get<Complex<double>>(), *number, tolerance) <= 0;
  }
  if (const auto* format = want.get<MemoryFormatName>()) {
    return got.get<MemoryFormatName>()->name == format->name;
  }
  return to_text(got, 0) == to_text(want, 0);
}

}  // namespace

std::optional<std::string> mismatch(const HostValue& got, const HostValue& want,
                                    Tolerance tolerance) {
  return walk(
      got, want,
      [&](const HostTensor& a, const HostTensor& b) { return tensor_mismatch(a, b, tolerance); },
      [&](const HostValue& a, const HostValue& b) -> std::optional<std::string> {
        if (agree(a, b, tolerance)) {
          return std::nullopt;
        }
        return fmt::format("got {}, want {}", to_text(a, 0), to_text(b, 0));
      });
}

std::optional<std::string> shape_mismatch(const HostValue& got, const HostValue& want) {
  return walk(
      got, want, [](const HostTensor& a, const HostTensor& b) { return shape_mismatch(a, b); },
      [](const HostValue&, const HostValue&) { return std::optional<std::string>(); });
}

}  // namespace cresset::data
