// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/data/host_tensor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "core/check.h"

namespace cresset::data {
namespace {

constexpr size_t kAlignment = 64;

std::vector<uint8_t> row_major(size_t rank) {
  std::vector<uint8_t> order(rank);
  std::iota(order.begin(), order.end(), uint8_t{0});
  return order;
}

// Calls visit(row-major index, index in memory) for every element.
template <class F>
void for_each_element(Span<const int32_t> sizes, Span<const int32_t> strides, F&& visit) {
  int64_t count = 1;
  for (const int32_t size : sizes) {
    count *= size;
  }
  std::vector<int32_t> position(sizes.size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(i, offset);
    for (size_t d = sizes.size(); d-- > 0;) {
      offset += strides[d];
      if (++position[d] < sizes[d]) {
        break;
      }
      offset -= int64_t{strides[d]} * sizes[d];
      position[d] = 0;
    }
  }
}

// Calls visit with a value of the dtype's element type.
template <class F>
void with_real_type(DType dtype, F&& visit) {
  switch (dtype) {
#define DTYPE(name, text, type, number, bytes, category)                \
  case DType::name:                                                     \
    if constexpr (DTypeCategory::category != DTypeCategory::kComplex && \
                  DTypeCategory::category != DTypeCategory::kOpaque) {  \
      return visit(CType<DType::name>());                               \
    }                                                                   \
    break;
#include "core/dtype.def"
#undef DTYPE
  }
  CRESSET_CHECK(false);
}

template <class To, class From>
To convert(From value) {
  constexpr bool kFromFloat = !std::is_integral_v<From>;
  if constexpr (std::is_same_v<To, bool>) {
    return kFromFloat ? static_cast<double>(value) != 0 : static_cast<bool>(value);
  } else if constexpr (std::is_integral_v<To> && kFromFloat) {
    const double wide = static_cast<double>(value);
    // Out of range is undefined in C++ and differs between machines in PyTorch.
    return wide >= -0x1p63 && wide < 0x1p63 ? static_cast<To>(static_cast<int64_t>(wide)) : To();
  } else if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_same_v<To, double> || std::is_same_v<From, double>) {
    if constexpr (std::is_same_v<To, double>) {
      return static_cast<double>(value);
    } else {
      return To(static_cast<float>(value));
    }
  } else {
    return To(static_cast<float>(value));
  }
}

}  // namespace

HostTensor::HostTensor() { allocate(); }

HostTensor::HostTensor(DType dtype, std::vector<int32_t> sizes, std::vector<uint8_t> dim_order)
    : dtype_(dtype), sizes_(std::move(sizes)), dim_order_(std::move(dim_order)) {
  if (dim_order_.empty()) {
    dim_order_ = row_major(sizes_.size());
  }
  allocate();
}

HostTensor::HostTensor(const HostTensor& other)
    : HostTensor(other.dtype_, other.sizes_, other.dim_order_) {
  if (size_bytes_ != 0) {
    std::memcpy(bytes_.get(), other.bytes_.get(), size_bytes_);
  }
}

HostTensor& HostTensor::operator=(const HostTensor& other) {
  if (this != &other) {
    *this = HostTensor(other);
  }
  return *this;
}

void HostTensor::allocate() {
  CRESSET_CHECK(sizes_.size() <= kMaxRank && sizes_.size() == dim_order_.size() &&
                is_permutation(dim_order_) && tensor_bytes(dtype_, sizes_, &size_bytes_));
  strides_.resize(sizes_.size());
  const size_t room =
      std::max(kAlignment, (size_bytes_ + kAlignment - 1) / kAlignment * kAlignment);
  bytes_.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, room)));
  if (bytes_ == nullptr) {
    throw std::bad_alloc();
  }
  std::memset(bytes_.get(), 0, room);
  view();
}

Expected<HostTensor> HostTensor::make(DType dtype, Span<const int64_t> sizes,
                                      std::vector<uint8_t> dim_order) {
  if (sizes.size() > kMaxRank) {
    return invalid(fmt::format("{} dimensions, at most {} are possible", sizes.size(), kMaxRank));
  }
  std::vector<int32_t> narrow;
  for (const int64_t size : sizes) {
    if (size < 0 || size > INT32_MAX) {
      return invalid(fmt::format("size {} is out of range", size));
    }
    narrow.push_back(static_cast<int32_t>(size));
  }
  size_t bytes;
  if (!tensor_bytes(dtype, narrow, &bytes)) {
    return invalid(fmt::format("[{}] has too many elements", fmt::join(narrow, ", ")));
  }
  if (dim_order.empty()) {
    dim_order = row_major(sizes.size());
  }
  if (dim_order.size() != sizes.size() || !is_permutation(dim_order)) {
    return invalid(fmt::format("dim order [{}] is no permutation of {} dimensions",
                               fmt::join(dim_order, ", "), sizes.size()));
  }
  return HostTensor(dtype, std::move(narrow), std::move(dim_order));
}

HostTensor HostTensor::copy_of(const Tensor& tensor) {
  const Span<const int32_t> sizes = tensor.sizes();
  const Span<const uint8_t> order = tensor.dim_order();
  HostTensor result(tensor.dtype(), std::vector<int32_t>(sizes.begin(), sizes.end()),
                    std::vector<uint8_t>(order.begin(), order.end()));
  if (result.size_bytes_ != 0) {
    std::memcpy(result.bytes_.get(), tensor.raw_data(), result.size_bytes_);
  }
  return result;
}

bool HostTensor::is_row_major() const {
  return std::is_sorted(dim_order_.begin(), dim_order_.end());
}

int64_t HostTensor::numel() const {
  return static_cast<int64_t>(size_bytes_ / dtype_bytes(dtype_));
}

Tensor HostTensor::view() {
  return Tensor(dtype_, sizes_, dim_order_, strides_, bytes_.get(), size_bytes_);
}

void HostTensor::assign_row_major(Span<const uint8_t> source) {
  CRESSET_CHECK(source.size() == size_bytes_);
  if (size_bytes_ == 0) {
    return;
  }
  if (is_row_major()) {
    std::memcpy(bytes_.get(), source.data(), size_bytes_);
  } else {
    const size_t width = dtype_bytes(dtype_);
    for_each_element(sizes_, strides_, [&](int64_t from, int64_t to) {
      std::memcpy(bytes_.get() + to * width, source.data() + from * width, width);
    });
  }
  if (dtype_ == DType::kBool) {
    for (uint8_t& byte : mutable_bytes()) {
      byte = byte != 0;
    }
  }
}

void HostTensor::copy_row_major(Span<uint8_t> destination) const {
  CRESSET_CHECK(destination.size() == size_bytes_);
  if (size_bytes_ == 0) {
    return;
  }
  if (is_row_major()) {
    std::memcpy(destination.data(), bytes_.get(), size_bytes_);
    return;
  }
  const size_t width = dtype_bytes(dtype_);
  for_each_element(sizes_, strides_, [&](int64_t to, int64_t from) {
    std::memcpy(destination.data() + to * width, bytes_.get() + from * width, width);
  });
}

HostTensor HostTensor::reordered(std::vector<uint8_t> dim_order) const {
  HostTensor result(dtype_, sizes_, std::move(dim_order));
  std::vector<uint8_t> bytes(size_bytes_);
  copy_row_major(bytes);
  result.assign_row_major(bytes);
  return result;
}

HostTensor HostTensor::converted(DType dtype) const {
  HostTensor result(dtype, sizes_, dim_order_);
  with_real_type(dtype_, [&](auto from) {
    using From = decltype(from);
    with_real_type(dtype, [&](auto to) {
      using To = decltype(to);
      const From* const source = data<From>();
      To* const target = result.mutable_data<To>();
      for (int64_t i = 0; i < numel(); ++i) {
        target[i] = convert<To>(source[i]);
      }
    });
  });
  return result;
}

std::string describe(DType dtype, Span<const int32_t> sizes, Span<const uint8_t> dim_order) {
  std::string text = fmt::format("{} [{}]", dtype_text(dtype), fmt::join(sizes, ", "));
  if (std::is_sorted(dim_order.begin(), dim_order.end())) {
    return text;
  }
  const bool channels_last = dim_order.size() >= 3 && dim_order[0] == 0 && dim_order.back() == 1 &&
                             std::is_sorted(dim_order.begin() + 1, dim_order.end() - 1);
  return text + (channels_last ? std::string(" channels-last")
                               : fmt::format(" order [{}]", fmt::join(dim_order, ", ")));
}

}  // namespace cresset::data
