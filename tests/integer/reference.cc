// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/integer/reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/check.h"

namespace cresset::tests {

using data::HostTensor;
using data::HostValue;
using data::OperatorCase;

namespace {

// Any tensor in row-major order.
struct Numbers {
  std::vector<int64_t> sizes;
  std::vector<int64_t> values;

  int64_t at(const std::vector<int64_t>& index) const {
    int64_t place = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      place = place * sizes[d] + index[d];
    }
    return values[static_cast<size_t>(place)];
  }
};

Numbers numbers_of(const HostTensor& tensor) {
  const HostTensor wide = tensor.converted(DType::kInt64);
  Numbers n;
  n.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  n.values.resize(static_cast<size_t>(tensor.numel()));
  wide.copy_row_major({reinterpret_cast<uint8_t*>(n.values.data()), n.values.size() * 8});
  return n;
}

// Calls f(index) for every position of `sizes` in row-major order.
template <class F>
void for_each_index(const std::vector<int64_t>& sizes, F&& f) {
  int64_t count = 1;
  for (const int64_t size : sizes) {
    count *= size;
  }
  std::vector<int64_t> index(sizes.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = sizes.size(); d-- > 0;) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    f(index);
  }
}

class Args {
 public:
  explicit Args(const OperatorCase& call) : args_(call.args) {}

  bool has(size_t i) const { return !args_.at(i).is_none(); }
  const HostTensor& tensor(size_t i) const { return *args_.at(i).get<HostTensor>(); }
  Numbers numbers(size_t i) const { return numbers_of(tensor(i)); }
  double real(size_t i) const { return *args_.at(i).get<double>(); }
  int64_t integer(size_t i) const { return *args_.at(i).get<int64_t>(); }
  bool flag(size_t i) const { return *args_.at(i).get<bool>(); }
  std::vector<int64_t> ints(size_t i) const {
    std::vector<int64_t> list;
    if (has(i)) {
      for (const HostValue& item : *args_.at(i).get<HostValue::List>()) {
        list.push_back(*item.get<int64_t>());
      }
    }
    return list;
  }
  DType dtype(size_t i) const { return has(i) ? *args_.at(i).get<DType>() : tensor(0).dtype(); }

 private:
  const std::vector<HostValue>& args_;
};

int64_t wrap32(int64_t value) { return static_cast<int32_t>(static_cast<uint64_t>(value)); }
int64_t floor_shift(__int128 value, int64_t shift) {
  const __int128 unit = static_cast<__int128>(1) << shift;
  const __int128 down = value >= 0 ? value / unit : -((-value + unit - 1) / unit);
  return static_cast<int64_t>(std::clamp<__int128>(down, INT64_MIN / 2, INT64_MAX / 2));
}

struct Output {
  int64_t zero, min, max;

  int64_t clamp(int64_t y) const { return std::clamp(y + zero, min, max); }
  int64_t rounded(float v) const {
    return std::isnan(v) ? min
                         : clamp(static_cast<int64_t>(
                               std::clamp(std::nearbyint(static_cast<double>(v)), -1e9, 1e9)));
  }
  int64_t shifted(__int128 product, int64_t shift) const {
    return clamp(floor_shift(product + (static_cast<__int128>(1) << (shift - 1)), shift));
  }
};

Output output(const Args& args, size_t scale_at) {
  return {args.integer(scale_at + 1), args.integer(scale_at + 2), args.integer(scale_at + 3)};
}

// Float32 arithmetic by way of double, which rounds a single operation alike.
float times(float a, float b) { return static_cast<float>(static_cast<double>(a) * b); }
float plus(float a, float b) { return static_cast<float>(static_cast<double>(a) + b); }
float as_float(double v) { return static_cast<float>(v); }

using Requantize = std::function<int64_t(int64_t sum, int64_t channel)>;

// For the rows with scale and shift as arguments 3 and 4.
Requantize by_channel(const Args& args) {
  const Output y = output(args, 7);
  const HostTensor& scale = args.tensor(3);
  const double x_scale = args.real(5), y_scale = args.real(7);
  const bool one = scale.numel() == 1;
  if (scale.dtype() == DType::kFloat32) {
    std::vector<float> scales(static_cast<size_t>(scale.numel()));
    scale.copy_row_major({reinterpret_cast<uint8_t*>(scales.data()), scales.size() * 4});
    return [=](int64_t sum, int64_t c) {
      const double w_scale = static_cast<double>(scales[one ? 0 : static_cast<size_t>(c)]);
      return y.rounded(
          times(as_float(static_cast<double>(sum)), as_float(x_scale * w_scale / y_scale)));
    };
  }
  const Numbers multiplier = numbers_of(scale), shift = args.numbers(4);
  const bool narrow = scale.dtype() == DType::kInt16;
  return [=](int64_t sum, int64_t channel) {
    const int64_t c = one ? 0 : channel;
    const int64_t pre_shift = narrow ? shift.at({c, 0}) : 0;
    const int64_t last = narrow ? shift.at({c, 1}) : shift.at({c});
    return y.shifted(static_cast<__int128>(floor_shift(sum, pre_shift)) * multiplier.at({c}), last);
  };
}

// For the rows with an int[] argument [multiplier, shift].
Requantize by_list(const Output& y, float multiplier, std::vector<int64_t> fixed) {
  return [=](int64_t sum, int64_t) {
    return fixed.empty() ? y.rounded(times(as_float(static_cast<double>(sum)), multiplier))
                         : y.shifted(static_cast<__int128>(sum) * fixed[0], fixed[1]);
  };
}

HostTensor make(DType dtype, const std::vector<int64_t>& sizes,
                const std::vector<int64_t>& values) {
  HostTensor wide(DType::kInt64, std::vector<int32_t>(sizes.begin(), sizes.end()));
  wide.assign_row_major({reinterpret_cast<const uint8_t*>(values.data()), values.size() * 8});
  return wide.converted(dtype);
}

int64_t item(const std::vector<int64_t>& list, size_t d) { return list[list.size() == 1 ? 0 : d]; }

HostTensor convolution(const Args& args, bool transposed) {
  const Numbers x = args.numbers(0), w = args.numbers(1);
  const Numbers bias = args.has(2) ? args.numbers(2) : Numbers();
  const auto stride = args.ints(11), padding = args.ints(12), dilation = args.ints(13);
  const auto extra = transposed ? args.ints(14) : std::vector<int64_t>{0};
  const int64_t groups = args.integer(transposed ? 15 : 14), zero = args.integer(6);
  const Requantize requantize = by_channel(args);
  const int64_t filters = transposed ? w.sizes[1] * groups : w.sizes[0];
  std::vector<int64_t> sizes = {x.sizes[0], filters, 0, 0};
  for (size_t d = 0; d < 2; ++d) {
    const int64_t reach = (w.sizes[2 + d] - 1) * item(dilation, d) + 1;
    sizes[2 + d] =
        transposed
            ? (x.sizes[2 + d] - 1) * item(stride, d) - 2 * item(padding, d) + reach + item(extra, d)
            : (x.sizes[2 + d] + 2 * item(padding, d) - reach) / item(stride, d) + 1;
  }
  const int64_t in_group = x.sizes[1] / groups, out_group = filters / groups;
  // By definition of the transpose, an input reaches outputs as the output of the plain
  // convolution reaches inputs.
  std::vector<int64_t> values;
  for_each_index(sizes, [&](const std::vector<int64_t>& o) {
    const int64_t group = o[1] / out_group;
    int64_t sum = bias.values.empty() ? 0 : bias.at({o[1]});
    for (int64_t c = 0; c < in_group; ++c) {
      for (int64_t kh = 0; kh < w.sizes[2]; ++kh) {
        for (int64_t kw = 0; kw < w.sizes[3]; ++kw) {
          const int64_t tap[2] = {kh, kw};
          int64_t at[2];
          bool inside = true;
          for (size_t d = 0; d < 2; ++d) {
            const int64_t step = item(stride, d), pad = item(padding, d);
            if (transposed) {
              const int64_t from = o[2 + d] + pad - tap[d] * item(dilation, d);
              inside = inside && from % step == 0;
              at[d] = from / step;
              inside = inside && from >= 0 && at[d] < x.sizes[2 + d];
            } else {
              at[d] = o[2 + d] * step - pad + tap[d] * item(dilation, d);
              inside = inside && at[d] >= 0 && at[d] < x.sizes[2 + d];
            }
          }
          if (inside) {
            const int64_t channel = group * in_group + c;
            const int64_t weight =
                transposed ? w.at({channel, o[1] % out_group, kh, kw}) : w.at({o[1], c, kh, kw});
            sum += (x.at({o[0], channel, at[0], at[1]}) - zero) * weight;
          }
        }
      }
    }
    values.push_back(requantize(wrap32(sum), o[1]));
  });
  return make(args.dtype(transposed ? 16 : 15), sizes, values);
}

HostTensor linear(const Args& args) {
  const Numbers x = args.numbers(0), w = args.numbers(1);
  const Numbers bias = args.has(2) ? args.numbers(2) : Numbers();
  const Requantize requantize = by_channel(args);
  std::vector<int64_t> sizes = x.sizes, values;
  sizes.back() = w.sizes[0];
  for_each_index(sizes, [&](std::vector<int64_t> at) {
    const int64_t row = at.back();
    int64_t sum = bias.values.empty() ? 0 : bias.at({row});
    for (int64_t k = 0; k < w.sizes[1]; ++k) {
      at.back() = k;
      sum += (x.at(at) - args.integer(6)) * w.at({row, k});
    }
    values.push_back(requantize(wrap32(sum), row));
  });
  return make(args.dtype(11), sizes, values);
}

// The sizes that a and b broadcast to without their last `kept` dimensions.
std::vector<int64_t> broadcast(const Numbers& a, const Numbers& b, size_t kept) {
  const size_t rank = std::max(a.sizes.size(), b.sizes.size());
  std::vector<int64_t> sizes;
  for (size_t back = rank; back > kept; --back) {
    const int64_t sa = back > a.sizes.size() ? 1 : a.sizes[a.sizes.size() - back];
    const int64_t sb = back > b.sizes.size() ? 1 : b.sizes[b.sizes.size() - back];
    sizes.push_back(sa == 1 ? sb : sa);
  }
  return sizes;
}

int64_t broadcast_at(const Numbers& n, std::vector<int64_t> index) {
  index.erase(index.begin(), index.end() - static_cast<ptrdiff_t>(n.sizes.size()));
  for (size_t d = 0; d < index.size(); ++d) {
    index[d] = n.sizes[d] == 1 ? 0 : index[d];
  }
  return n.at(index);
}

HostTensor matmul(const Args& args) {
  const Numbers a = args.numbers(0), b = args.numbers(1);
  const double a_scale = args.real(2), b_scale = args.real(4), y_scale = args.real(6);
  const Requantize requantize =
      by_list(output(args, 6), as_float(a_scale * b_scale / y_scale), args.ints(10));
  std::vector<int64_t> sizes = broadcast(a, b, 2), values;
  sizes.push_back(a.sizes[a.sizes.size() - 2]);
  sizes.push_back(b.sizes.back());
  for_each_index(sizes, [&](const std::vector<int64_t>& at) {
    std::vector<int64_t> in_a = at, in_b = at;
    int64_t sum = 0;
    for (int64_t k = 0; k < a.sizes.back(); ++k) {
      in_a[at.size() - 1] = k;
      in_b[at.size() - 2] = k;
      sum += (broadcast_at(a, in_a) - args.integer(3)) * (broadcast_at(b, in_b) - args.integer(5));
    }
    values.push_back(requantize(wrap32(sum), 0));
  });
  return make(args.dtype(11), sizes, values);
}

HostTensor pair(const Args& args, bool add) {
  const Numbers a = args.numbers(0), b = args.numbers(1);
  const Output y = output(args, 6);
  const auto fixed = args.ints(10);
  const float inverse = as_float(1.0 / args.real(6));
  std::vector<int64_t> sizes = broadcast(a, b, 0), values;
  for_each_index(sizes, [&](const std::vector<int64_t>& at) {
    const int64_t da = broadcast_at(a, at) - args.integer(3);
    const int64_t db = broadcast_at(b, at) - args.integer(5);
    if (!fixed.empty()) {
      values.push_back(
          add ? y.shifted(static_cast<__int128>(da) * fixed[0] + db * fixed[1], fixed[2])
              : y.shifted(static_cast<__int128>(da * db) * fixed[0], fixed[1]));
      return;
    }
    const float fa = times(as_float(static_cast<double>(da)), as_float(args.real(2)));
    const float fb = times(as_float(static_cast<double>(db)), as_float(args.real(4)));
    values.push_back(y.rounded(times(add ? plus(fa, fb) : times(fa, fb), inverse)));
  });
  return make(args.dtype(11), sizes, values);
}

// The quantized mean of `count` numbers that sum up to `sum`.
int64_t mean_of(const Args& args, const std::vector<int64_t>& fixed, int64_t sum, int64_t count) {
  const Output y = output(args, 3);
  if (fixed.empty()) {
    const float factor = as_float(args.real(1) / (args.real(3) * static_cast<double>(count)));
    return y.rounded(times(as_float(static_cast<double>(sum)), factor));
  }
  const int64_t multiplier = (fixed[0] * fixed[2] + count / 2) / count;
  return y.shifted(static_cast<__int128>(sum) * multiplier, fixed[1]);
}

HostTensor avg_pool(const Args& args) {
  const Numbers x = args.numbers(0);
  const auto kernel = args.ints(7), padding = args.ints(9), fixed = args.ints(13);
  const auto stride = args.ints(8).empty() ? kernel : args.ints(8);
  const bool ceil_mode = args.flag(10), count_padding = args.flag(11);
  const size_t first = x.sizes.size() - 2;
  std::vector<int64_t> sizes = x.sizes, values;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t in = x.sizes[first + d], step = item(stride, d), pad = item(padding, d);
    const int64_t room = in + 2 * pad - item(kernel, d);
    int64_t out = room / step + 1;
    if (ceil_mode) {
      out = (room + step - 1) / step + 1;
      out -= (out - 1) * step >= in + pad ? 1 : 0;
    }
    sizes[first + d] = out;
  }
  for_each_index(sizes, [&](const std::vector<int64_t>& o) {
    int64_t sum = 0, inside = 0, padded = 0;
    for (int64_t i = 0; i < item(kernel, 0); ++i) {
      for (int64_t j = 0; j < item(kernel, 1); ++j) {
        std::vector<int64_t> at = o;
        at[first] = o[first] * item(stride, 0) - item(padding, 0) + i;
        at[first + 1] = o[first + 1] * item(stride, 1) - item(padding, 1) + j;
        const auto in = [&](size_t d, int64_t pad) {
          return at[first + d] >= -pad && at[first + d] < x.sizes[first + d] + pad;
        };
        padded += in(0, item(padding, 0)) && in(1, item(padding, 1));
        if (in(0, 0) && in(1, 0)) {
          ++inside;
          sum += x.at(at) - args.integer(2);
        }
      }
    }
    const int64_t count = args.has(12) ? args.integer(12) : count_padding ? padded : inside;
    values.push_back(mean_of(args, fixed, sum, count));
  });
  return make(args.dtype(14), sizes, values);
}

HostTensor mean(const Args& args) {
  const Numbers x = args.numbers(0);
  const int64_t rank = static_cast<int64_t>(x.sizes.size());
  std::vector<bool> reduced(x.sizes.size(), args.ints(7).empty());
  for (const int64_t dim : args.ints(7)) {
    reduced[static_cast<size_t>(dim < 0 ? dim + rank : dim)] = true;
  }
  std::vector<int64_t> full = x.sizes, sizes;
  int64_t count = 1;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    count *= reduced[d] ? x.sizes[d] : 1;
    full[d] = reduced[d] ? 1 : x.sizes[d];
    if (!reduced[d] || args.flag(8)) {
      sizes.push_back(full[d]);
    }
  }
  std::map<std::vector<int64_t>, int64_t> sums;
  for_each_index(x.sizes, [&](const std::vector<int64_t>& at) {
    std::vector<int64_t> to = at;
    for (size_t d = 0; d < to.size(); ++d) {
      to[d] = reduced[d] ? 0 : to[d];
    }
    sums[to] += x.at(at) - args.integer(2);
  });
  std::vector<int64_t> values;
  for_each_index(full, [&](const std::vector<int64_t>& at) {
    values.push_back(mean_of(args, args.ints(9), sums[at], count));
  });
  return make(args.dtype(10), sizes, values);
}

HostTensor lookup(const Args& args) {
  const HostTensor& x = args.tensor(0);
  const HostTensor& table = args.tensor(1);
  const Numbers places = numbers_of(x);
  const size_t width = dtype_bytes(table.dtype());
  std::vector<uint8_t> bytes;
  for (const int64_t value : places.values) {
    const size_t at = static_cast<size_t>(x.dtype() == DType::kInt8 ? value + 128 : value);
    const uint8_t* const from = table.bytes().data() + at * width;
    bytes.insert(bytes.end(), from, from + width);
  }
  HostTensor out(table.dtype(), x.sizes());
  out.assign_row_major(bytes);
  return out;
}

HostTensor softmax(const Args& args) {
  const Numbers x = args.numbers(0), table = args.numbers(2);
  const Output y = output(args, 4);
  const auto fixed = args.ints(8);
  const int64_t rank = static_cast<int64_t>(x.sizes.size());
  const size_t dim =
      static_cast<size_t>(args.integer(1) < 0 ? args.integer(1) + rank : args.integer(1));
  std::vector<int64_t> values;
  for_each_index(x.sizes, [&](const std::vector<int64_t>& at) {
    std::vector<int64_t> other = at;
    int64_t greatest = INT64_MIN, sum = 0;
    const int64_t length = rank == 0 ? 1 : x.sizes[dim];
    const auto element = [&](int64_t i) {
      if (rank > 0) {
        other[dim] = i;
      }
      return x.at(other);
    };
    for (int64_t i = 0; i < length; ++i) {
      greatest = std::max(greatest, element(i));
    }
    for (int64_t i = 0; i < length; ++i) {
      sum += table.at({greatest - element(i)});
    }
    const int64_t zeros =
        31 - static_cast<int64_t>(std::floor(std::log2(static_cast<double>(sum))));
    const int64_t normal = sum << zeros;
    const int64_t divisor = (normal + 32768) / 65536;
    const int64_t reciprocal = 0xffffffff / divisor;
    const int64_t scale = floor_shift(static_cast<__int128>(reciprocal) * fixed[0], 17);
    const int64_t shift = 31 + fixed[1] - zeros;
    const bool vanishes = shift > 62 || shift < 1;
    values.push_back(
        vanishes
            ? y.clamp(0)
            : y.shifted(static_cast<__int128>(table.at({greatest - x.at(at)})) * scale, shift));
  });
  return make(args.dtype(9), x.sizes, values);
}

HostTensor requantization(const Args& args) {
  const Numbers x = args.numbers(0);
  const Output y = output(args, 3);
  const auto fixed = args.ints(7);
  std::vector<int64_t> values;
  for (const int64_t value : x.values) {
    const int64_t difference = wrap32(value - args.integer(2));
    if (fixed.empty()) {
      const float real = times(as_float(static_cast<double>(difference)), as_float(args.real(1)));
      values.push_back(y.rounded(times(real, as_float(1.0 / args.real(3)))));
    } else {
      values.push_back(y.shifted(static_cast<__int128>(difference) * fixed[0], fixed[1]));
    }
  }
  return make(args.dtype(8), x.sizes, values);
}

}  // namespace

HostTensor integer_reference(const std::string& row, const OperatorCase& call) {
  static const std::map<std::string, std::function<HostTensor(const Args&)>> kRows = {
      {"qadd", [](const Args& a) { return pair(a, true); }},
      {"qavg_pool2d", avg_pool},
      {"qconv2d", [](const Args& a) { return convolution(a, false); }},
      {"qconv_transpose2d", [](const Args& a) { return convolution(a, true); }},
      {"qlinear", linear},
      {"qlookup", lookup},
      {"qmatmul", matmul},
      {"qmean", mean},
      {"qmul", [](const Args& a) { return pair(a, false); }},
      {"qsoftmax", softmax},
      {"requantize", requantization}};
  const auto found = kRows.find(row);
  CRESSET_CHECK(found != kRows.end());
  return found->second(Args(call));
}

}  // namespace cresset::tests
