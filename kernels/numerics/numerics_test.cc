// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/message.h"
#include "kernels/registry.h"

// What the corpus does not reach: refusals, vectors, larger matrices, values at the edges.
namespace cresset::kernels {
namespace {

// Tensors of a call, alive for its time.
class Call {
 public:
  Tensor& tensor(std::vector<int32_t> sizes, DType dtype, const void* from = nullptr) {
    int64_t count = 1;
    for (const int32_t size : sizes) {
      count *= size;
    }
    auto& bytes = *memory_.emplace_back(new std::vector<double>(static_cast<size_t>(count) + 1));
    const size_t capacity = static_cast<size_t>(count) * dtype_bytes(dtype);
    if (from != nullptr) {
      std::copy_n(static_cast<const char*>(from), capacity, reinterpret_cast<char*>(bytes.data()));
    }
    return **tensors_.emplace_back(new LocalTensor(dtype, {sizes.data(), sizes.size()},
                                                   bytes.data(), bytes.size() * sizeof(double)));
  }
  Tensor& doubles(std::vector<int32_t> sizes, const std::vector<double>& values = {}) {
    return tensor(std::move(sizes), DType::kFloat64, values.empty() ? nullptr : values.data());
  }

  // Infers, then computes. Tensors are values by their address.
  Status run(const char* name, const char* out, std::vector<Value> args) {
    const ops::KernelTables tables = host_kernels();
    const ops::Kernel* kernel = ops::find_kernel(tables, name, out);
    EXPECT_NE(kernel, nullptr) << name;
    std::vector<Value*> pointers;
    for (Value& value : args) {
      pointers.push_back(&value);
    }
    if (kernel->infer != nullptr) {
      ops::RuntimeInfer infer(pointers.data(), pointers.size(), kernel->out_count, &message_);
      CRESSET_TRY(kernel->infer(infer));
    }
    KernelContext context(&message_);
    return kernel->call(context, pointers.data());
  }
  std::string message() const { return message_.text(); }

 private:
  std::vector<std::unique_ptr<std::vector<double>>> memory_;
  std::vector<std::unique_ptr<LocalTensor>> tensors_;
  MessageBuffer<512> message_;
};

Value of(Tensor& tensor) { return Value::of_tensor(&tensor); }

TEST(Numerics, RefusesASingularMatrixWhenAskedTo) {
  for (const bool check : {false, true}) {
    Call call;
    Tensor& a = call.doubles({2, 2}, {1, 2, 2, 4});
    Tensor& inverse = call.doubles({2, 2});
    Tensor& info = call.tensor({}, DType::kInt32);
    const Status status = call.run("aten::linalg_inv_ex", "inverse",
                                   {of(a), Value::of_bool(check), of(inverse), of(info)});
    EXPECT_EQ(status, check ? Status::kInvalidArgument : Status::kOk);
    EXPECT_EQ(info.data<int32_t>()[0], 2);
    EXPECT_EQ(call.message().find("singular") != std::string::npos, check) << call.message();
  }
}

TEST(Numerics, RefusesMatricesThatAreNotSquare) {
  Call call;
  Tensor& a = call.doubles({2, 3});
  EXPECT_EQ(call.run("aten::_linalg_det", "result",
                     {of(a), of(call.doubles({})), of(call.doubles({2, 3})),
                      of(call.tensor({2}, DType::kInt32))}),
            Status::kInvalidArgument);
  EXPECT_NE(call.message().find("square"), std::string::npos) << call.message();
}

TEST(Numerics, RefusesPivotsThatAreNoRows) {
  for (const int32_t wrong : {0, 3, -1}) {
    Call call;
    const int32_t pivots[] = {1, wrong};
    EXPECT_EQ(
        call.run("aten::linalg_lu_solve", "out",
                 {of(call.doubles({2, 2}, {1, 0, 0, 1})),
                  of(call.tensor({2}, DType::kInt32, pivots)), of(call.doubles({2, 1}, {1, 1})),
                  Value::of_bool(true), Value::of_bool(false), of(call.doubles({2, 1}))}),
        Status::kInvalidArgument);
    EXPECT_NE(call.message().find(std::to_string(wrong)), std::string::npos) << call.message();
  }
  Call call;  // half a block of two
  const int32_t pivots[] = {-1, 2};
  EXPECT_EQ(
      call.run("aten::linalg_ldl_solve", "out",
               {of(call.doubles({2, 2}, {1, 0, 0, 1})), of(call.tensor({2}, DType::kInt32, pivots)),
                of(call.doubles({2, 1}, {1, 1})), Value::of_bool(false), of(call.doubles({2, 1}))}),
      Status::kInvalidArgument);
}

TEST(Numerics, RefusesSixteenBitsWherePyTorchDoes) {
  Call call;
  Tensor& a = call.tensor({2, 2}, DType::kFloat16);
  EXPECT_EQ(call.run("aten::linalg_qr", "out",
                     {of(a), Value::of_string("reduced"), of(call.tensor({2, 2}, DType::kFloat16)),
                      of(call.tensor({2, 2}, DType::kFloat16))}),
            Status::kInvalidType);
  EXPECT_NE(call.message().find("float16"), std::string::npos) << call.message();
}

TEST(Numerics, SingularVectorsRestoreTheMatrix) {
  constexpr int32_t kRows = 40, kColumns = 25;
  std::vector<double> values(kRows * kColumns);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<double>(i * i % 997));
  }
  for (const bool wide : {false, true}) {
    Call call;
    const int32_t rows = wide ? kColumns : kRows, columns = wide ? kRows : kColumns;
    Tensor& u = call.doubles({rows, rows});
    Tensor& s = call.doubles({kColumns});
    Tensor& vh = call.doubles({columns, columns});
    ASSERT_EQ(call.run("aten::_linalg_svd", "U",
                       {of(call.doubles({rows, columns}, values)), Value::of_bool(true),
                        Value::of_bool(true), Value(), of(u), of(s), of(vh)}),
              Status::kOk)
        << call.message();
    for (int32_t r = 0; r < rows; ++r) {
      for (int32_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (int32_t k = 0; k < kColumns; ++k) {
          sum += u.data<double>()[r * rows + k] * s.data<double>()[k] *
                 vh.data<double>()[k * columns + c];
        }
        ASSERT_NEAR(sum, values[static_cast<size_t>(r * columns + c)], 1e-12) << r << ", " << c;
      }
    }
  }
}

TEST(Numerics, EigenvectorsAreOfTheTriangleThatIsNamed) {
  for (const char* uplo : {"L", "U"}) {
    Call call;
    const bool lower = *uplo == 'L';
    Tensor& values = call.doubles({2});
    Tensor& vectors = call.doubles({2, 2});
    // The other triangle is to be ignored.
    const std::vector<double> m =
        lower ? std::vector<double>{2, 99, 1, 2} : std::vector<double>{2, 1, 99, 2};
    ASSERT_EQ(call.run("aten::_linalg_eigh", "eigenvalues",
                       {of(call.doubles({2, 2}, m)), Value::of_string(uplo), Value::of_bool(true),
                        of(values), of(vectors)}),
              Status::kOk);
    EXPECT_NEAR(values.data<double>()[0], 1, 1e-14);
    EXPECT_NEAR(values.data<double>()[1], 3, 1e-14);
    EXPECT_NEAR(std::abs(vectors.data<double>()[1]), std::sqrt(0.5), 1e-14);
  }
}

TEST(Numerics, LeastSquaresFindTheLeastNorm) {
  Call call;  // x + y = 2: the shortest solution is (1, 1)
  Tensor& solution = call.doubles({2, 1});
  Tensor& rank = call.tensor({}, DType::kInt64);
  ASSERT_EQ(
      call.run("aten::linalg_lstsq", "out",
               {of(call.doubles({1, 2}, {1, 1})), of(call.doubles({1, 1}, {2})), Value(), Value(),
                of(solution), of(call.doubles({0})), of(rank), of(call.doubles({0}))}),
      Status::kOk)
      << call.message();
  EXPECT_NEAR(solution.data<double>()[0], 1, 1e-14);
  EXPECT_NEAR(solution.data<double>()[1], 1, 1e-14);
  EXPECT_EQ(rank.data<int64_t>()[0], 1);
}

// Values from the tables of Abramowitz and Stegun.
TEST(Numerics, SpecialFunctionsAtKnownPoints) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const struct {
    const char* name;
    double at, value;
  } kPoints[] = {{"aten::digamma", 1, -0.57721566490153286},
                 {"aten::digamma", 0.0, -kInfinity},
                 {"aten::digamma", -0.0, kInfinity},
                 {"aten::erfinv", 1, kInfinity},
                 {"aten::special_modified_bessel_k0", 0, kInfinity},
                 {"aten::special_modified_bessel_k0", 1, 0.42102443824070834},
                 {"aten::special_i1e", 1000, 0.012610930256928629},
                 {"aten::special_scaled_modified_bessel_k1", 1000, 0.039648130812960214},
                 {"aten::special_ndtri", 0.975, 1.959963984540054},
                 {"aten::special_log_ndtr", -50, -1254.8313611394199},
                 {"aten::special_erfcx", 30, 0.018795888861416751},
                 {"aten::special_airy_ai", 1, 0.13529241631288141},
                 {"aten::special_bessel_j0", 1, 0.76519768655796655}};
  for (const auto& point : kPoints) {
    Call call;
    Tensor& out = call.doubles({1});
    ASSERT_EQ(call.run(point.name, "out", {of(call.doubles({1}, {point.at})), of(out)}),
              Status::kOk);
    const double got = out.data<double>()[0];
    if (std::isinf(point.value)) {
      EXPECT_EQ(got, point.value) << point.name << " at " << point.at;
    } else {
      EXPECT_NEAR(got, point.value, 1e-13 * std::max(1.0, std::abs(point.value)))
          << point.name << " at " << point.at;
    }
  }
}

}  // namespace
}  // namespace cresset::kernels
