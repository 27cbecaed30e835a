// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/indexing.h"

#include <cstring>

namespace cresset::kernels {

namespace {

bool is_mask(const Tensor& index) {
  return index.dtype() == DType::kBool || index.dtype() == DType::kUInt8;
}

// Writes the coordinates of the true elements, `rank` numbers each; returns how many there are.
int64_t write_places(const Tensor& mask, int32_t* to) {
  int64_t found = 0;
  int32_t at[kMaxRank] = {};
  const size_t rank = mask.rank();
  for (int64_t left = mask.numel(); left > 0; --left) {
    int64_t offset = 0;
    for (size_t d = 0; d < rank; ++d) {
      offset += at[d] * mask.stride(d);
    }
    if (mask.data<uint8_t>()[offset] != 0) {
      std::memcpy(to, at, rank * sizeof(int32_t));
      to += rank;
      ++found;
    }
    for (size_t d = rank; d > 0 && ++at[d - 1] == mask.size(d - 1); --d) {
      at[d - 1] = 0;
    }
  }
  return found;
}

int64_t value_at(const uint8_t* data, ptrdiff_t width) {
  if (width == 4) {
    int32_t value;
    std::memcpy(&value, data, sizeof(value));
    return value;
  }
  int64_t value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

}  // namespace

size_t Indexing::scratch_bytes(Span<Tensor* const> indices) {
  size_t bytes = 0;
  for (const Tensor* index : indices) {
    if (index != nullptr && is_mask(*index)) {
      bytes += static_cast<size_t>(index->numel()) * index->rank() * sizeof(int32_t);
    }
  }
  return bytes;
}

Status Indexing::add(KernelContext& context, const Index& index) {
  for (size_t d = 0; d < index.rank; ++d) {
    int64_t& have = places_[d];
    if (d >= place_rank_ || have == 1) {
      have = index.sizes[d];
    } else if (index.sizes[d] != 1 && index.sizes[d] != have) {
      return context.fail(Status::kInvalidArgument, "index sizes {} and {} do not broadcast", have,
                          index.sizes[d]);
    }
  }
  place_rank_ = place_rank_ < index.rank ? index.rank : place_rank_;
  indices_[count_++] = index;
  return Status::kOk;
}

Status Indexing::at(KernelContext& context, const Tensor& index, int32_t** scratch) {
  const bool mask = is_mask(index);
  if (!mask && index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
    return context.fail(Status::kInvalidType, "the index is {}, expected int64, int32 or bool",
                        index.dtype());
  }
  if (mask && index.rank() == 0) {
    return context.fail(Status::kNotSupported, "a mask without dimensions");
  }
  if (dim_ + (mask ? index.rank() : 1) > self_.rank()) {
    return context.fail(Status::kInvalidArgument, "more indices than the tensor's {} dimensions",
                        self_.rank());
  }
  Index item = {};
  if (!mask) {
    item.data = static_cast<const uint8_t*>(index.raw_data());
    item.width = static_cast<ptrdiff_t>(dtype_bytes(index.dtype()));
    item.dim = dim_++;
    item.rank = index.rank();
    for (size_t k = 0; k < index.rank(); ++k) {
      const size_t d = index.rank() - 1 - k;
      item.sizes[k] = index.size(d);
      item.strides[k] =
          index.size(d) == 1 ? 0 : static_cast<ptrdiff_t>(index.stride(d)) * item.width;
    }
    return add(context, item);
  }
  for (size_t d = 0; d < index.rank(); ++d) {
    if (index.size(d) != self_.size(dim_ + d)) {
      return context.fail(Status::kInvalidArgument,
                          "the mask has size {} at dimension {}, the tensor {} at {}",
                          index.size(d), d, self_.size(dim_ + d), dim_ + d);
    }
  }
  const ptrdiff_t rank = static_cast<ptrdiff_t>(index.rank());
  const int64_t found = write_places(index, *scratch);
  item.width = sizeof(int32_t);
  item.rank = 1;
  item.sizes[0] = found;
  item.strides[0] = found == 1 ? 0 : rank * item.width;
  for (ptrdiff_t d = 0; d < rank; ++d) {
    item.data = reinterpret_cast<const uint8_t*>(*scratch + d);
    item.dim = dim_++;
    CRESSET_TRY(add(context, item));
  }
  *scratch += index.numel() * index.rank();
  return Status::kOk;
}

Status Indexing::finish(KernelContext& context) {
  if (self_.rank() - count_ + place_rank_ > kMaxRank) {
    return context.fail(Status::kNotSupported, "the result has more than {} dimensions", kMaxRank);
  }
  const bool adjacent = count_ > 0 && indices_[count_ - 1].dim - indices_[0].dim + 1 == count_;
  first_place_ = adjacent ? indices_[0].dim : 0;
  size_t next = 0;
  for (size_t d = 0; d <= self_.rank(); ++d) {
    for (size_t p = 0; d == first_place_ && p < place_rank_; ++p) {
      sizes_[rank_++] = static_cast<int32_t>(places_[place_rank_ - 1 - p]);
    }
    if (next < count_ && indices_[next].dim == d) {
      ++next;
    } else if (d < self_.rank()) {
      sizes_[rank_++] = static_cast<int32_t>(self_.size(d));
    }
  }
  return Status::kOk;
}

// Strides of a tensor that broadcasts to the result, in bytes, for each of the result's dimensions.
void Indexing::strides_of(const Tensor& other, ptrdiff_t* strides) const {
  for (size_t k = 0; k < rank_; ++k) {
    const bool there = k < other.rank() && other.size(other.rank() - 1 - k) != 1;
    strides[rank_ - 1 - k] = there ? static_cast<ptrdiff_t>(other.stride(other.rank() - 1 - k)) *
                                         static_cast<ptrdiff_t>(dtype_bytes(other.dtype()))
                                   : 0;
  }
}

LoopNest<2> Indexing::kept(const ptrdiff_t* other_strides) const {
  LoopNest<2> nest;
  size_t next = 0;
  size_t result_dim = first_place_ == 0 ? place_rank_ : 0;
  for (size_t d = 0; d < self_.rank(); ++d) {
    if (next < count_ && indices_[next].dim == d) {
      result_dim += next++ == 0 && first_place_ != 0 ? place_rank_ : 0;
      continue;
    }
    nest.push(self_.size(d), {static_cast<ptrdiff_t>(self_.stride(d)) *
                                  static_cast<ptrdiff_t>(dtype_bytes(self_.dtype())),
                              other_strides[result_dim++]});
  }
  return nest;
}

// f(bytes from self's start, bytes from the other's start) for each place, in order.
template <class F>
Status Indexing::for_each_place(KernelContext& context, const ptrdiff_t* other_strides,
                                F&& f) const {
  int64_t left = 1;
  for (size_t k = 0; k < place_rank_; ++k) {
    left *= places_[k];
  }
  int64_t at[kMaxRank] = {};  // from the last dimension
  for (; left > 0; --left) {
    ptrdiff_t self_offset = 0;
    for (size_t i = 0; i < count_; ++i) {
      const Index& index = indices_[i];
      const uint8_t* data = index.data;
      for (size_t k = 0; k < index.rank; ++k) {
        data += static_cast<ptrdiff_t>(at[k]) * index.strides[k];
      }
      const int64_t value = value_at(data, index.width);
      const int64_t size = self_.size(index.dim);
      const int64_t least = negative_ == Negative::kFromEnd ? -size : 0;
      if (value < least || value >= size) {
        return context.fail(Status::kInvalidArgument, "index {} is out of range [{}, {}]", value,
                            least, size - 1);
      }
      self_offset +=
          static_cast<ptrdiff_t>((value < 0 ? value + size : value) * self_.stride(index.dim));
    }
    ptrdiff_t other_offset = 0;
    for (size_t k = 0; k < place_rank_; ++k) {
      other_offset +=
          static_cast<ptrdiff_t>(at[k]) * other_strides[first_place_ + place_rank_ - 1 - k];
    }
    f(self_offset * static_cast<ptrdiff_t>(dtype_bytes(self_.dtype())), other_offset);
    for (size_t k = 0; k < place_rank_ && ++at[k] == places_[k]; ++k) {
      at[k] = 0;
    }
  }
  return Status::kOk;
}

Status Indexing::read(KernelContext& context, Tensor& result) const {
  ptrdiff_t strides[kMaxRank] = {};
  strides_of(result, strides);
  const LoopNest<2> nest = kept(strides);
  const CombineFn copy = combine_fn(Combine::kReplace, self_.dtype());
  const uint8_t* const from = static_cast<const uint8_t*>(self_.raw_data());
  uint8_t* const to = static_cast<uint8_t*>(result.mutable_raw_data());
  return for_each_place(context, strides, [&](ptrdiff_t self_at, ptrdiff_t result_at) {
    nest.for_each_run([&](const ptrdiff_t* offsets) {
      copy(to + result_at + offsets[1], nest.inner_stride(1), from + self_at + offsets[0],
           nest.inner_stride(0), nest.inner_size());
    });
  });
}

Status Indexing::write(KernelContext& context, Tensor& self, const Tensor& values,
                       Combine combine) const {
  if (values.dtype() != self_.dtype()) {
    return context.fail(Status::kInvalidType, "the values are {}, expected {}", values.dtype(),
                        self_.dtype());
  }
  bool fits = values.rank() <= rank_;
  for (size_t k = 0; fits && k < values.rank(); ++k) {
    const int64_t size = values.size(values.rank() - 1 - k);
    fits = size == 1 || size == sizes_[rank_ - 1 - k];
  }
  if (!fits) {
    return context.fail(Status::kInvalidArgument, "values of shape {} do not broadcast to {}",
                        values.sizes(), sizes());
  }
  const CombineFn merge = combine_fn(combine, self_.dtype());
  if (merge == nullptr) {
    return context.fail(Status::kInvalidType, "{} is not supported", self_.dtype());
  }
  ptrdiff_t strides[kMaxRank] = {};
  strides_of(values, strides);
  const LoopNest<2> nest = kept(strides);
  uint8_t* const to = static_cast<uint8_t*>(self.mutable_raw_data());
  const uint8_t* const from = static_cast<const uint8_t*>(values.raw_data());
  return for_each_place(context, strides, [&](ptrdiff_t self_at, ptrdiff_t values_at) {
    nest.for_each_run([&](const ptrdiff_t* offsets) {
      merge(to + self_at + offsets[0], nest.inner_stride(0), from + values_at + offsets[1],
            nest.inner_stride(1), nest.inner_size());
    });
  });
}

Status add_indices(KernelContext& context, Span<Tensor* const> indices, Indexing* places) {
  void* memory = nullptr;
  const size_t bytes = Indexing::scratch_bytes(indices);
  if (bytes > 0) {
    CRESSET_TRY(context.scratch(bytes, &memory));
  }
  int32_t* scratch = static_cast<int32_t*>(memory);
  for (const Tensor* index : indices) {
    if (index == nullptr) {
      places->keep();
    } else {
      CRESSET_TRY(places->at(context, *index, &scratch));
    }
  }
  return places->finish(context);
}

Status add_index_of(KernelContext& context, size_t dim, const Tensor& index, Indexing* places) {
  for (size_t d = 0; d < dim; ++d) {
    places->keep();
  }
  CRESSET_TRY(places->at(context, index, nullptr));
  return places->finish(context);
}

}  // namespace cresset::kernels
