// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/elementwise.h"

#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

// Elements converted at a time. Bounds the stack that a kernel takes.
constexpr size_t kChunk = 64;

struct alignas(16) Buffer {
  uint8_t bytes[kChunk * sizeof(int64_t)];
};

// How a source is read along the innermost dimension.
struct Stream {
  const uint8_t* data;
  ptrdiff_t stride;
  DType dtype;
  DType compute;
  DType common;
  bool direct;            // read where it lies
  size_t fill;            // stride 0: how many copies of the element the buffer takes
  const uint8_t* filled;  // stride 0: the element that it is full of
  Buffer buffer;

  const void* read(const uint8_t* from, size_t count, Buffer* spare) {
    if (direct) {
      return from;
    }
    if (stride == 0) {
      if (filled == from) {
        return buffer.bytes;
      }
      filled = from;
      count = fill;
    }
    load_run(compute, buffer.bytes, dtype, from, stride, count);
    if (common != dtype && common != compute && compute != DType::kBool) {
      store_run(common, spare->bytes, compute, buffer.bytes, count);
      load_run(compute, buffer.bytes, common, spare->bytes,
               static_cast<ptrdiff_t>(dtype_bytes(common)), count);
    }
    return buffer.bytes;
  }
};

using Nest = LoopNest<kMaxOperands>;

Nest make_nest(Span<const Source> sources, const Tensor& out) {
  Nest nest;
  for (const uint8_t d : out.dim_order()) {
    ptrdiff_t strides[kMaxOperands] = {};
    for (size_t k = 0; k < sources.size(); ++k) {
      strides[k] = sources[k].operand.stride_bytes(d, out.rank());
    }
    nest.push(out.size(d), strides);
  }
  return nest;
}

}  // namespace

const uint8_t* Operand::data() const {
  if (tensor == nullptr) {
    return reinterpret_cast<const uint8_t*>(&bits);
  }
  return tensor->data<uint8_t>() +
         static_cast<ptrdiff_t>(offset) * static_cast<ptrdiff_t>(dtype_bytes(dtype));
}

ptrdiff_t Operand::stride_bytes(size_t dim, size_t out_rank) const {
  const size_t missing = tensor == nullptr ? out_rank : out_rank - tensor->rank();
  if (dim < missing || tensor->size(dim - missing) == 1) {
    return 0;
  }
  return static_cast<ptrdiff_t>(tensor->stride(dim - missing)) *
         static_cast<ptrdiff_t>(dtype_bytes(dtype));
}

Status run_elementwise(KernelContext& context, Span<const Source> sources, DType result,
                       Tensor& out, ChunkFn chunk) {
  const Nest nest = make_nest(sources, out);
  const size_t inner = static_cast<size_t>(nest.inner_size());
  Stream streams[kMaxOperands];
  Buffer result_buffer;
  Buffer spare;
  const bool out_direct = out.dtype() == result;
  bool all_direct = out_direct;
  for (size_t k = 0; k < sources.size(); ++k) {
    const Operand& operand = sources[k].operand;
    if (!can_load(operand.dtype)) {
      return context.fail(Status::kInvalidType, "{} is not supported", operand.dtype);
    }
    Stream& stream = streams[k];
    stream.data = operand.data();
    stream.stride = nest.inner_stride(k);
    stream.dtype = operand.dtype;
    stream.compute = sources[k].compute;
    stream.common = sources[k].common;
    stream.direct = stream.dtype == stream.compute &&
                    stream.stride == static_cast<ptrdiff_t>(dtype_bytes(stream.dtype)) &&
                    (stream.common == stream.dtype || stream.common == stream.compute);
    stream.fill = inner < kChunk ? inner : kChunk;
    stream.filled = nullptr;
    all_direct = all_direct && stream.direct;
  }
  const size_t step = all_direct ? inner : kChunk;
  const size_t out_bytes = dtype_bytes(out.dtype());
  uint8_t* to = out.mutable_data<uint8_t>();
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (size_t first = 0; first < inner; first += step) {
      const size_t count = inner - first < step ? inner - first : step;
      const void* in[kMaxOperands];
      for (size_t k = 0; k < sources.size(); ++k) {
        Stream& stream = streams[k];
        in[k] =
            stream.read(stream.data + offsets[k] + static_cast<ptrdiff_t>(first) * stream.stride,
                        count, &spare);
      }
      chunk(count, in, out_direct ? to : result_buffer.bytes);
      if (!out_direct) {
        store_run(out.dtype(), to, result, result_buffer.bytes, count);
      }
      to += count * out_bytes;
    }
  });
  return Status::kOk;
}

}  // namespace cresset::kernels
