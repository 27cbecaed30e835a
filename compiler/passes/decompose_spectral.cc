// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compiler/passes/decompositions.h"

// Complex tensors as pairs of real ones, and Fourier transforms as products with constant matrices:
// exact, and fast enough for the sizes of audio frames.
namespace cresset::passes::decompositions {

namespace {

struct Complex {
  Value* re = nullptr;
  Value* im = nullptr;  // null: zero
};

Complex parts(Builder& b, Value* x) {
  if (!is_complex(x->dtype())) {
    return {b.widened(x), nullptr};
  }
  // What was joined just before is taken apart without a detour.
  const Node* producer = x->producer();
  Value* pairs = producer != nullptr && producer->op() == Op::view_as_complex_copy
                     ? producer->arg(0).value()
                     : b.call(Op::view_as_real_copy, {x});
  return {b.select(pairs, -1, 0), b.select(pairs, -1, 1)};
}

Value* joined(Builder& b, const Complex& x) {
  Value* im = x.im == nullptr ? b.full(x.re->sizes(), 0.0, x.re->dtype()) : x.im;
  return b.call(Op::view_as_complex_copy, {b.stack({x.re, im}, -1)});
}

Complex conjugate(Builder& b, const Complex& x) {
  return {x.re, x.im == nullptr ? nullptr : b.unary(Op::neg, x.im)};
}

enum class Form { kComplex, kOneSided, kReal };

// One dimension's transform.
struct Transform {
  int64_t dim = -1;
  int64_t in = 0;  // elements read
  int64_t n = 0;   // length of the signal
  bool forward = true;
  double scale = 1;
  Form form = Form::kComplex;  // of the result
};

Value* matrix(Builder& b, const Transform& t, int64_t out, bool sine, DType dtype) {
  std::vector<double> numbers;
  for (int64_t k = 0; k < t.in; ++k) {
    for (int64_t j = 0; j < out; ++j) {
      const double turn = static_cast<double>(k * j % t.n) / static_cast<double>(t.n);
      const double angle = 2 * std::numbers::pi * turn;
      // To a real signal each frequency contributes twice, but for the first and the middle one.
      const double weight = t.form != Form::kReal || k == 0 || 2 * k == t.n ? 1 : 2;
      numbers.push_back(t.scale * weight * (sine ? std::sin(angle) : std::cos(angle)));
    }
  }
  Value* value = b.constant(ir::make_constant("fourier", {DType::kFloat64, {t.in, out}, {}},
                                              numbers.data(), numbers.size() * sizeof(double)));
  return b.cast(value, dtype);
}

// Cuts or pads with zeros at the end.
Value* fitted(Builder& b, Value* x, int64_t dim, int64_t length) {
  if (x == nullptr || b.size(x, dim) == Dim(length)) {
    return x;
  }
  const int64_t have = b.size(x, dim).known().value_or(0);
  if (have > length) {
    return b.narrow(x, dim, 0, length);
  }
  Dims sizes = x->sizes();
  sizes[static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(x->rank()) : dim)] = length - have;
  return b.cat({x, b.full(sizes, 0.0, x->dtype())},
               dim < 0 ? dim + static_cast<int64_t>(x->rank()) : dim);
}

Complex transformed(Builder& b, Complex x, const Transform& t) {
  const int64_t rank = static_cast<int64_t>(x.re->rank());
  const int64_t dim = t.dim < 0 ? t.dim + rank : t.dim;
  const auto moved = [&](Value* v) {
    return v == nullptr ? v : b.transpose(fitted(b, v, dim, t.in), dim, rank - 1);
  };
  x = {moved(x.re), moved(x.im)};
  const int64_t out = t.form == Form::kOneSided ? t.n / 2 + 1 : t.n;
  const DType dtype = x.re->dtype();
  Value* cosine = matrix(b, t, out, false, dtype);
  Value* sine = matrix(b, t, out, true, dtype);
  // exp(-i a) = cos a - i sin a forward, exp(i a) backward.
  Complex y{matmul(b, x.re, cosine), nullptr};
  if (x.im != nullptr) {
    Value* cross = matmul(b, x.im, sine);
    y.re = t.forward ? b.add(y.re, cross) : b.sub(y.re, cross);
  }
  if (t.form != Form::kReal) {
    y.im = matmul(b, x.re, sine);
    y.im = t.forward ? b.unary(Op::neg, y.im) : y.im;
    if (x.im != nullptr) {
      y.im = b.add(y.im, matmul(b, x.im, cosine));
    }
  }
  const auto back = [&](Value* v) { return v == nullptr ? v : b.transpose(v, dim, rank - 1); };
  return {back(y.re), back(y.im)};
}

int64_t known_size(Builder& b, Value* x, int64_t dim) {
  const std::optional<int64_t> size = b.size(x, dim).known();
  if (!size) {
    b.fail("the length of a transform must be known");
  }
  return size.value_or(1);
}

// torch.fft's names: "backward" (default) scales the inverse by 1 / n, "forward" the transform,
// "ortho" both by 1 / sqrt(n).
double scale_of(const Argument& norm, bool forward, int64_t n) {
  const std::string name = norm.is_none() ? "backward" : norm.string();
  if (name == "ortho") {
    return 1 / std::sqrt(static_cast<double>(n));
  }
  return (name == "forward") == forward ? 1 / static_cast<double>(n) : 1;
}

struct Axes {
  Ints dims;
  Ints lengths;
};

// (self, s?, dim?, norm): the lengths to transform, and where. `half` says that the last length
// counts the real side of a half spectrum.
Axes axes_of(Builder& b, bool half) {
  Value* x = b.in(0);
  Axes axes;
  const bool one =
      b.node().schema().args[2].type == ops::TypeTag::kInt && !b.node().schema().args[2].list;
  if (one) {
    axes.dims = {b.integer(2)};
  } else if (b.has(2)) {
    axes.dims = b.ints(2);
  } else {
    const size_t count = b.has(1) ? b.dims(1).size() : x->rank();
    axes.dims = counted(count, static_cast<int64_t>(x->rank() - count));
  }
  const Ints given = b.has(1) ? b.ints(1) : Ints{};
  for (size_t i = 0; i < axes.dims.size(); ++i) {
    const int64_t size = known_size(b, x, axes.dims[i]);
    const bool last = i + 1 == axes.dims.size();
    const int64_t natural = half && last ? 2 * (size - 1) : size;
    axes.lengths.push_back(i < given.size() && given[i] != -1 ? given[i] : natural);
  }
  return axes;
}

Complex along_all(Builder& b, Complex x, const Axes& axes, size_t count, bool forward) {
  const Argument& norm = b.node().arg(3);
  for (size_t i = 0; i < count; ++i) {
    const int64_t n = axes.lengths[i];
    x = transformed(b, x,
                    {axes.dims[i], n, n, forward, scale_of(norm, forward, n), Form::kComplex});
  }
  return x;
}

Values complex_to_complex(Builder& b, bool forward) {
  const Axes axes = axes_of(b, false);
  return {joined(b, along_all(b, parts(b, b.in(0)), axes, axes.dims.size(), forward))};
}

// Real input; the last dimension keeps the half spectrum. `forward` false: its conjugate (ihfft).
Values real_to_complex(Builder& b, bool forward) {
  const Axes axes = axes_of(b, false);
  const size_t last = axes.dims.size() - 1;
  const int64_t n = axes.lengths[last];
  Complex x = transformed(
      b, parts(b, b.in(0)),
      {axes.dims[last], n, n, forward, scale_of(b.node().arg(3), forward, n), Form::kOneSided});
  return {joined(b, along_all(b, x, axes, last, forward))};
}

Values complex_to_real(Builder& b, bool forward) {
  const Axes axes = axes_of(b, true);
  const size_t last = axes.dims.size() - 1;
  const int64_t n = axes.lengths[last];
  Complex x = along_all(b, parts(b, b.in(0)), axes, last, forward);
  return {transformed(b, x,
                      {axes.dims[last], n / 2 + 1, n, forward,
                       scale_of(b.node().arg(3), forward, n), Form::kReal})
              .re};
}

// The internal operators number their scaling: 0 none, 1 by 1 / sqrt(n), 2 by 1 / n.
double numbered_scale(int64_t normalization, int64_t n) {
  return normalization == 0   ? 1
         : normalization == 1 ? 1 / std::sqrt(static_cast<double>(n))
                              : 1 / static_cast<double>(n);
}

}  // namespace

Values fft_fft(Builder& b) { return complex_to_complex(b, true); }
Values fft_fft2(Builder& b) { return complex_to_complex(b, true); }
Values fft_fftn(Builder& b) { return complex_to_complex(b, true); }
Values fft_ifft(Builder& b) { return complex_to_complex(b, false); }
Values fft_ifft2(Builder& b) { return complex_to_complex(b, false); }
Values fft_ifftn(Builder& b) { return complex_to_complex(b, false); }
Values fft_rfft(Builder& b) { return real_to_complex(b, true); }
Values fft_rfft2(Builder& b) { return real_to_complex(b, true); }
Values fft_rfftn(Builder& b) { return real_to_complex(b, true); }
Values fft_ihfft(Builder& b) { return real_to_complex(b, false); }
Values fft_ihfft2(Builder& b) { return real_to_complex(b, false); }
Values fft_ihfftn(Builder& b) { return real_to_complex(b, false); }
Values fft_irfft(Builder& b) { return complex_to_real(b, false); }
Values fft_irfft2(Builder& b) { return complex_to_real(b, false); }
Values fft_irfftn(Builder& b) { return complex_to_real(b, false); }
Values fft_hfft(Builder& b) { return complex_to_real(b, true); }
Values fft_hfft2(Builder& b) { return complex_to_real(b, true); }
Values fft_hfftn(Builder& b) { return complex_to_real(b, true); }

Values _fft_c2c(Builder& b) {
  Complex x = parts(b, b.in(0));
  for (const int64_t dim : b.ints(1)) {
    const int64_t n = known_size(b, b.in(0), dim);
    x = transformed(b, x, {dim, n, n, b.flag(3), numbered_scale(b.integer(2), n), Form::kComplex});
  }
  return {joined(b, x)};
}
Values _fft_r2c(Builder& b) {
  Complex x = parts(b, b.in(0));
  const Ints dims = b.ints(1);
  for (size_t i = dims.size(); i-- > 0;) {
    const int64_t n = known_size(b, b.in(0), dims[i]);
    const bool half = i + 1 == dims.size() && b.flag(3);
    x = transformed(b, x,
                    {dims[i], n, n, true, numbered_scale(b.integer(2), n),
                     half ? Form::kOneSided : Form::kComplex});
  }
  return {joined(b, x)};
}
Values _fft_c2r(Builder& b) {
  Complex x = parts(b, b.in(0));
  const Ints dims = b.ints(1);
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool last = i + 1 == dims.size();
    const int64_t n = last ? b.integer(3) : known_size(b, b.in(0), dims[i]);
    x = transformed(b, x,
                    {dims[i], last ? n / 2 + 1 : n, n, false, numbered_scale(b.integer(2), n),
                     last ? Form::kReal : Form::kComplex});
  }
  return {x.re};
}

namespace {

// Where frames of a signal lie.
struct Framing {
  int64_t n = 0;       // of a frame
  int64_t hop = 0;     // from frame to frame
  int64_t length = 0;  // of the window, which lies in the middle of a frame
};

// (self, n_fft, hop_length?, win_length?, window?, ...)
Framing framing_of(Builder& b) {
  const int64_t n = b.integer(1);
  const Framing framing = {n, b.has(2) ? b.integer(2) : n / 4, b.has(3) ? b.integer(3) : n};
  if (n <= 0 || framing.hop <= 0 || framing.length <= 0 || framing.length > n) {
    b.fail("frames of " + std::to_string(n) + " elements, " + std::to_string(framing.hop) +
           " apart, with a window of " + std::to_string(framing.length));
  }
  return framing;
}

// The window as long as a frame; ones where none is given.
Complex window_of(Builder& b, const Framing& framing, DType dtype) {
  Complex window = {b.full({Dim(framing.length)}, 1.0, dtype), nullptr};
  if (b.has(4)) {
    window = parts(b, b.in(4));
    if (window.re->rank() != 1 || !(b.size(window.re, 0) == Dim(framing.length))) {
      b.fail("the window must have " + std::to_string(framing.length) + " elements");
    }
  }
  const int64_t left = (framing.n - framing.length) / 2;
  const int64_t right = framing.n - framing.length - left;
  const auto padded = [&](Value* v) {
    return v == nullptr || framing.length == framing.n
               ? v
               : b.call(Op::constant_pad_nd, {v, Argument::ints({left, right}), 0});
  };
  return {padded(window.re), padded(window.im)};
}

Complex product(Builder& b, const Complex& x, const Complex& y) {
  Complex z{b.mul(x.re, y.re), nullptr};
  if (x.im != nullptr && y.im != nullptr) {
    z.re = b.sub(z.re, b.mul(x.im, y.im));
  }
  if (x.im != nullptr) {
    z.im = b.mul(x.im, y.re);
  }
  if (y.im != nullptr) {
    Value* cross = b.mul(x.re, y.im);
    z.im = z.im == nullptr ? cross : b.add(z.im, cross);
  }
  return z;
}

Complex quotient(Builder& b, const Complex& x, const Complex& y) {
  if (y.im == nullptr) {
    return {b.div(x.re, y.re), x.im == nullptr ? nullptr : b.div(x.im, y.re)};
  }
  const Complex z = product(b, x, conjugate(b, y));
  Value* square = b.add(b.mul(y.re, y.re), b.mul(y.im, y.im));
  return {b.div(z.re, square), b.div(z.im, square)};
}

template <class Change>
Complex each(const Complex& x, Change change) {
  return {change(x.re), x.im == nullptr ? nullptr : change(x.im)};
}

// Frames of a signal, windowed, each transformed. `normalized_at` is the position of that argument.
Values frames_transformed(Builder& b, Value* x, size_t normalized_at) {
  const Framing framing = framing_of(b);
  const bool single = x->rank() == 1;
  x = single ? b.unsqueeze(x, 0) : x;
  if (x->rank() != 2 || b.size(x, 1).known().value_or(framing.n) < framing.n) {
    return b.unsupported("a signal of sizes " + ir::sizes_text(x->sizes()));
  }
  if (b.has(normalized_at + 3) && b.flag(normalized_at + 3)) {
    return b.unsupported("align_to_window");
  }
  const int64_t n = framing.n;
  Complex frames = each(parts(b, x), [&](Value* v) {
    return b.call(Op::unfold_copy, {v, 1, n, framing.hop});
  });
  if (b.has(4) || framing.length < n) {
    frames = product(b, frames, window_of(b, framing, frames.re->dtype()));
  }
  const bool one_sided =
      b.has(normalized_at + 1) ? b.flag(normalized_at + 1) : frames.im == nullptr;
  if (one_sided && frames.im != nullptr) {
    return b.unsupported("one side of the spectrum of a complex signal");
  }
  const double scale = b.flag(normalized_at) ? 1 / std::sqrt(static_cast<double>(n)) : 1;
  Complex y =
      transformed(b, frames, {2, n, n, true, scale, one_sided ? Form::kOneSided : Form::kComplex});
  y = each(y, [&](Value* v) {
    v = b.transpose(v, 1, 2);
    return single ? b.squeeze(v, 0) : v;
  });
  return {is_complex(b.out().dtype) ? joined(b, y) : b.stack({y.re, y.im}, -1)};
}

// Frames [rows, frames, n] added up where they overlap: [rows, n + hop * (frames - 1)].
Value* overlapped(Builder& b, Value* frames, const Framing& framing, int64_t count) {
  Ints places;
  for (int64_t f = 0; f < count; ++f) {
    const Ints frame = counted(static_cast<size_t>(framing.n), f * framing.hop);
    places.insert(places.end(), frame.begin(), frame.end());
  }
  const Dim rows = b.size(frames, 0);
  Value* zeros = b.full({rows, Dim(framing.n + framing.hop * (count - 1))}, 0.0, frames->dtype());
  return b.call(Op::index_add,
                {zeros, 1, b.int_tensor(places), b.view(frames, {rows, Dim(count * framing.n)})});
}

}  // namespace

Values stft(Builder& b) { return frames_transformed(b, b.in(0), 5); }
Values stft_center(Builder& b) {
  Value* x = b.in(0);
  if (b.flag(5)) {
    const std::string mode = b.node().arg(6).string();
    const int64_t half = b.integer(1) / 2;
    const bool single = x->rank() == 1;
    const Argument pads = Argument::ints({half, half});
    const bool complex = is_complex(x->dtype());
    const Complex padded = each(parts(b, single ? b.unsqueeze(x, 0) : x), [&](Value* v) {
      return mode == "reflect"     ? b.call(Op::reflection_pad1d, {v, pads})
             : mode == "replicate" ? b.call(Op::replication_pad1d, {v, pads})
                                   : b.call(Op::constant_pad_nd, {v, pads, 0});
    });
    x = complex ? joined(b, padded) : padded.re;
    x = single ? b.squeeze(x, 0) : x;
  }
  return frames_transformed(b, x, 7);
}

// (self, n_fft, hop_length?, win_length?, window?, center, normalized, onesided?, length?,
// return_complex): frames back to a signal, divided by what the windows add up to.
Values istft(Builder& b) {
  const Framing framing = framing_of(b);
  const int64_t n = framing.n;
  Value* x = b.in(0);
  if (!is_complex(x->dtype()) || x->rank() < 2 || x->rank() > 3) {
    return b.unsupported("a spectrum must be complex and have 2 or 3 dimensions");
  }
  const int64_t bins = known_size(b, x, -2);
  const int64_t count = known_size(b, x, -1);
  const bool complex_result = b.flag(9);
  const bool one_sided = b.has(7) ? b.flag(7) : bins != n;
  if (bins != (one_sided ? n / 2 + 1 : n) || count < 1 || (one_sided && complex_result)) {
    return b.unsupported(std::to_string(bins) + " bins in " + std::to_string(count) +
                         " frames of " + std::to_string(n) + " elements");
  }
  const int64_t whole = n + framing.hop * (count - 1);
  const int64_t start = b.flag(5) ? n / 2 : 0;
  const int64_t end = b.has(8) ? start + b.integer(8) : whole - start;
  const int64_t kept = std::min(end, whole) - start;
  if (kept <= 0 || (!b.has(4) && framing.hop > framing.length && count > 1)) {
    return b.unsupported("windows that do not cover the signal");
  }
  const bool single = x->rank() == 2;
  Complex frames = each(
      parts(b, x), [&](Value* v) { return b.transpose(single ? b.unsqueeze(v, 0) : v, 1, 2); });
  const double scale = 1 / (b.flag(6) ? std::sqrt(static_cast<double>(n)) : static_cast<double>(n));
  frames = transformed(b, frames,
                       {2, complex_result ? n : n / 2 + 1, n, false, scale,
                        complex_result ? Form::kComplex : Form::kReal});
  const Complex window = window_of(b, framing, frames.re->dtype());
  if (window.im != nullptr && !complex_result) {
    return b.unsupported("a complex window for a real signal");
  }
  const auto signal = [&](const Complex& v) {
    return each(v, [&](Value* part) {
      return b.narrow(overlapped(b, part, framing, count), 1, start, kept);
    });
  };
  const Complex weights = each(product(b, window, window), [&](Value* v) {
    return b.expand(b.view(v, {1, 1, n}), {1, count, n});
  });
  Complex y = quotient(b, signal(product(b, frames, window)), signal(weights));
  y = each(y, [&](Value* v) {
    v = fitted(b, v, 1, end - start);
    return single ? b.squeeze(v, 0) : v;
  });
  return {complex_result ? joined(b, y) : y.re};
}

Values real(Builder& b) { return {parts(b, b.in(0)).re}; }
Values imag(Builder& b) { return {parts(b, b.in(0)).im}; }
Values complex(Builder& b) {
  const Dims sizes = b.out().sizes;
  return {joined(b, {b.expand(b.in(0), sizes), b.expand(b.in(1), sizes)})};
}
Values polar(Builder& b) {
  Value* size = b.in(0);
  Value* turn = b.in(1);
  return {joined(b, {b.mul(size, b.unary(Op::cos, turn)), b.mul(size, b.unary(Op::sin, turn))})};
}
Values conj(Builder& b) {
  return {is_complex(b.in(0)->dtype()) ? joined(b, conjugate(b, parts(b, b.in(0)))) : b.in(0)};
}
Values _conj(Builder& b) { return conj(b); }
Values conj_physical(Builder& b) { return conj(b); }
Values _conj_physical(Builder& b) { return conj(b); }
Values resolve_conj(Builder& b) { return {b.in(0)}; }
Values resolve_neg(Builder& b) { return {b.in(0)}; }
Values abs(Builder& b) {
  Value* x = b.in(0);
  if (!is_complex(x->dtype())) {
    return {x->dtype() == DType::kBool ? x : b.maximum(x, b.unary(Op::neg, x))};
  }
  const Complex c = parts(b, x);
  return {b.unary(Op::sqrt, b.add(b.mul(c.re, c.re), b.mul(c.im, c.im)))};
}

Values where_self(Builder& b) {
  const DType dtype = b.node().result()->dtype();
  const Complex x = parts(b, b.cast(b.in(1), dtype));
  const Complex y = parts(b, b.cast(b.in(2), dtype));
  return {joined(b, {b.where(b.in(0), x.re, y.re), b.where(b.in(0), x.im, y.im)})};
}

Values angle(Builder& b) {
  Value* x = b.in(0);
  if (is_complex(x->dtype())) {
    const Complex c = parts(b, x);
    return {b.call(Op::atan2, {c.im, c.re})};
  }
  x = b.widened(x);
  Value* y = b.where(b.lt(x, 0), b.scalar(std::numbers::pi, x->dtype()), 0.0);
  return {b.where(b.unary(Op::isnan, x), x, y)};
}

Values chalf(Builder& b) {
  Value* x = b.in(0);
  if (is_complex(x->dtype())) {
    return b.unsupported("a complex input");
  }
  Value* real = b.cast(x, DType::kFloat16);
  Value* parts = b.stack({real, b.full(real->sizes(), 0.0, DType::kFloat16)}, -1);
  return {b.typed(Op::view_as_complex_copy, {parts}, {DType::kComplex32, x->sizes(), {}})};
}

}  // namespace cresset::passes::decompositions
