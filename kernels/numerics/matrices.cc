// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/numerics/matrices.h"

namespace cresset::kernels::numerics {

namespace {

double load(const Tensor& tensor, int64_t at) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return tensor.data<float>()[at];
    case DType::kFloat64:
      return tensor.data<double>()[at];
    case DType::kFloat16:
      return static_cast<float>(tensor.data<Half>()[at]);
    case DType::kBFloat16:
      return static_cast<float>(tensor.data<BFloat16>()[at]);
    case DType::kInt32:
      return tensor.data<int32_t>()[at];
    case DType::kInt64:
      return static_cast<double>(tensor.data<int64_t>()[at]);
    default:
      return 0;
  }
}

void store(Tensor& tensor, int64_t at, double value) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      tensor.mutable_data<float>()[at] = static_cast<float>(value);
      break;
    case DType::kFloat64:
      tensor.mutable_data<double>()[at] = value;
      break;
    case DType::kFloat16:
      tensor.mutable_data<Half>()[at] = Half(static_cast<float>(value));
      break;
    case DType::kBFloat16:
      tensor.mutable_data<BFloat16>()[at] = BFloat16(static_cast<float>(value));
      break;
    case DType::kInt32:
      tensor.mutable_data<int32_t>()[at] = static_cast<int32_t>(value);
      break;
    case DType::kInt64:
      tensor.mutable_data<int64_t>()[at] = static_cast<int64_t>(value);
      break;
    default:
      break;
  }
}

int64_t offset_of(const Tensor& tensor, const Batch& batch, int64_t i, size_t inner) {
  const size_t rank = tensor.rank() - inner;
  int64_t offset = 0;
  for (size_t back = 1; back <= batch.rank; ++back) {
    const int64_t size = batch.sizes[batch.rank - back];
    const int64_t at = i % size;
    i /= size;
    if (back <= rank && tensor.size(rank - back) != 1) {
      offset += at * tensor.stride(rank - back);
    }
  }
  return offset;
}

struct Inner {
  int64_t rows = 1, columns = 1, row_stride = 0, column_stride = 0;
};

Inner inner_of(const Tensor& tensor, size_t inner) {
  Inner result;
  const size_t rank = tensor.rank();
  if (inner == 2) {
    result = {tensor.size(rank - 2), tensor.size(rank - 1), tensor.stride(rank - 2),
              tensor.stride(rank - 1)};
  } else if (inner == 1) {
    result = {tensor.size(rank - 1), 1, tensor.stride(rank - 1), 0};
  }
  return result;
}

}  // namespace

Batch batch_of(const Tensor& tensor, size_t inner) {
  Batch batch;
  for (; batch.rank + inner < tensor.rank(); ++batch.rank) {
    batch.sizes[batch.rank] = tensor.size(batch.rank);
  }
  return batch;
}

Matrix read(const Tensor& tensor, const Batch& batch, int64_t i, size_t inner) {
  const Inner in = inner_of(tensor, inner);
  const int64_t offset = offset_of(tensor, batch, i, inner);
  Matrix result(in.rows, in.columns);
  for (int64_t c = 0; c < in.columns; ++c) {
    for (int64_t r = 0; r < in.rows; ++r) {
      result(r, c) = load(tensor, offset + r * in.row_stride + c * in.column_stride);
    }
  }
  return result;
}

void write(Tensor& tensor, const Batch& batch, int64_t i, const Matrix& value, size_t inner) {
  const Inner in = inner_of(tensor, inner);
  const int64_t offset = offset_of(tensor, batch, i, inner);
  for (int64_t c = 0; c < in.columns; ++c) {
    for (int64_t r = 0; r < in.rows; ++r) {
      store(tensor, offset + r * in.row_stride + c * in.column_stride, value(r, c));
    }
  }
}

void write(Tensor& tensor, const Batch& batch, int64_t i, double value) {
  store(tensor, offset_of(tensor, batch, i, 0), value);
}

Status want_float(KernelContext& context, const Tensor& tensor, const char* name) {
  if (tensor.dtype() != DType::kFloat32 && tensor.dtype() != DType::kFloat64) {
    return context.fail(Status::kInvalidType, "{} is {}; float32 and float64 are supported", name,
                        tensor.dtype());
  }
  return Status::kOk;
}

}  // namespace cresset::kernels::numerics
