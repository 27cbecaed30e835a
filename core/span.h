// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <type_traits>

namespace cresset {

// A view of `size` consecutive T; owns nothing. Indexing is unchecked: whoever makes an index from
// untrusted data checks it first.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}  // NOLINT(runtime/explicit)
  // From any container with data() and size(): std::vector, std::array, Span<non-const T>.
  template <class C, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
  constexpr Span(C& container)  // NOLINT(runtime/explicit)
      : data_(container.data()), size_(container.size()) {}
  template <class C, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::declval<const C&>().data()), T*>>>
  constexpr Span(const C& container)  // NOLINT(runtime/explicit)
      : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_t index) const { return data_[index]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& back() const { return data_[size_ - 1]; }
  // Elements [first, first + count); the caller guarantees that they exist.
  constexpr Span subspan(size_t first, size_t count) const { return Span(data_ + first, count); }
  constexpr Span subspan(size_t first) const { return Span(data_ + first, size_ - first); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// Element-wise equality.
template <class A, class B>
constexpr bool equal(Span<A> a, Span<B> b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace cresset
