// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/common/quantized_embedding.h"

#include "kernels/common/convert.h"
#include "kernels/common/loop_nest.h"

namespace cresset::kernels {

namespace {

constexpr int64_t kChunk = 64;

double element(const Tensor& tensor, int64_t at) {
  double number = 0;
  load_run(DType::kFloat64, &number, tensor.dtype(),
           tensor.data<uint8_t>() + at * static_cast<int64_t>(dtype_bytes(tensor.dtype())), 0, 1);
  return number;
}

// Number `at` of a row.
int64_t quantized_number(const QuantizedTable& table, int64_t row, int64_t at) {
  const Tensor& weight = table.weight;
  const int64_t fields = 8 / table.bits;
  const int64_t place = row * weight.stride(0) + at / fields * weight.stride(1);
  if (table.bits == 8) {
    return weight.dtype() == DType::kUInt8 ? weight.data<uint8_t>()[place]
                                           : weight.data<int8_t>()[place];
  }
  const int64_t k = at % fields;
  const int64_t shift = table.bits * (table.bits == 4 ? fields - 1 - k : k);
  return (weight.data<uint8_t>()[place] >> shift & ((1 << table.bits) - 1)) + table.bounds.low;
}

// Rounds float32 numbers to a 16-bit dtype.
void round_to(DType dtype, float* numbers, size_t count) {
  if (dtype_bytes(dtype) == 2) {
    uint16_t halves[kChunk];
    store_run(dtype, halves, DType::kFloat32, numbers, count);
    load_run(DType::kFloat32, numbers, dtype, halves, 2, count);
  }
}

Status check(KernelContext& context, const QuantizedTable& table, const Tensor& out) {
  const DType weight = table.weight.dtype();
  const bool numbers = weight == DType::kUInt8 || (table.bits == 8 && weight == DType::kInt8);
  const DType scale = table.scales.dtype();
  if (!numbers || compute_dtype(scale) != DType::kFloat32 ||
      compute_dtype(out.dtype()) != DType::kFloat32 ||
      (table.zero_points != nullptr && !can_load(table.zero_points->dtype()))) {
    return context.fail(Status::kInvalidType, "weight {} with scales {} is not supported", weight,
                        scale);
  }
  const int64_t half = int64_t{1} << (table.bits - 1);
  if (table.bits < 8 && (table.bounds.low != -half || table.bounds.high != half - 1)) {
    return context.fail(Status::kInvalidArgument, "bounds {} and {} are not those of {} bits",
                        table.bounds.low, table.bounds.high, table.bits);
  }
  return Status::kOk;
}

// The numbers of a row, `step` elements apart.
void write_row(const QuantizedTable& table, int64_t row, DType dtype, uint8_t* to, int64_t step) {
  const bool grouped = table.scales.rank() == 2;
  const int64_t width = table.weight.size(1) * (8 / table.bits);
  const int64_t groups = grouped ? table.scales.size(1) : 1;
  const int64_t group = groups == 0 ? 0 : width / groups;
  const int64_t bytes = step * static_cast<int64_t>(dtype_bytes(dtype));
  const auto parameter = [&](const Tensor& tensor, int64_t g) {
    return static_cast<float>(
        element(tensor, row * tensor.stride(0) + (grouped ? g * tensor.stride(1) : 0)));
  };
  for (int64_t g = 0; g < groups; ++g) {
    const float scale = parameter(table.scales, g);
    const float zero = table.zero_points == nullptr ? 0 : parameter(*table.zero_points, g);
    for (int64_t from = 0; from < group; from += kChunk) {
      const int64_t count = group - from < kChunk ? group - from : kChunk;
      float numbers[kChunk];
      for (int64_t k = 0; k < count; ++k) {
        const int64_t q = quantized_number(table, row, g * group + from + k);
        numbers[k] = (static_cast<float>(q) - zero) * scale;
      }
      round_to(table.scales.dtype(), numbers, static_cast<size_t>(count));
      const int64_t piece = step == 1 ? count : 1;
      for (int64_t k = 0; k < count; k += piece, to += piece * bytes) {
        store_run(dtype, to, DType::kFloat32, numbers + k, static_cast<size_t>(piece));
      }
    }
  }
}

}  // namespace

Status quantized_embedding(KernelContext& context, const QuantizedTable& table,
                           const Tensor& indices, Tensor& out) {
  CRESSET_TRY(check(context, table, out));
  const int64_t rows = table.weight.size(0);
  const size_t index_bytes = dtype_bytes(indices.dtype()), out_bytes = dtype_bytes(out.dtype());
  LoopNest<2> nest;
  for (size_t d = 0; d < indices.rank(); ++d) {
    nest.push(indices.size(d),
              {static_cast<ptrdiff_t>(indices.stride(d)) * static_cast<ptrdiff_t>(index_bytes),
               static_cast<ptrdiff_t>(out.stride(d)) * static_cast<ptrdiff_t>(out_bytes)});
  }
  Status status = Status::kOk;
  nest.for_each_run([&](const ptrdiff_t* offsets) {
    for (int64_t i = 0; i < nest.inner_size() && status == Status::kOk; ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      int64_t row = 0;
      load_run(DType::kInt64, &row, indices.dtype(),
               indices.data<uint8_t>() + offsets[0] + at * nest.inner_stride(0), 0, 1);
      if (row < 0 || row >= rows) {
        status = context.fail(Status::kInvalidArgument, "index {} is out of range [0, {}]", row,
                              rows - 1);
        return;
      }
      write_row(table, row, out.dtype(),
                out.mutable_data<uint8_t>() + offsets[1] + at * nest.inner_stride(1),
                out.stride(out.rank() - 1));
    }
  });
  return status;
}

}  // namespace cresset::kernels
