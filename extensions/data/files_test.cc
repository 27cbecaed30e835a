// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "extensions/data/image.h"
#include "extensions/data/input.h"
#include "extensions/data/npy.h"
#include "extensions/data/safetensors.h"
#include "extensions/data/wav.h"

namespace cresset::data {
namespace {

std::string unhex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

Span<const uint8_t> span_of(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

template <class T>
std::vector<T> elements(const HostTensor& tensor) {
  std::vector<T> result(static_cast<size_t>(tensor.numel()));
  tensor.copy_row_major(
      Span<uint8_t>(reinterpret_cast<uint8_t*>(result.data()), tensor.size_bytes()));
  return result;
}

HostTensor iota(std::vector<int32_t> sizes) {
  HostTensor tensor(DType::kFloat32, std::move(sizes));
  std::iota(tensor.mutable_data<float>(), tensor.mutable_data<float>() + tensor.numel(), 0.0f);
  return tensor;
}

// A folder of its own that goes when the test ends.
class Files : public ::testing::Test {
 protected:
  Files()
      : folder_(std::filesystem::temp_directory_path() / ("cresset_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

// What numpy.savez_compressed wrote for a = int16 arange(6) as (2, 3) and f = the same in float32
// and Fortran order.
const char kNpzOfNumpy[] =
    "504b03042d0000000800000021001a4e987effffffffffffffff05001400612e6e7079010010008c"
    "0000000000000052000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a4"
    "aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab5"
    "0a64032e06064606260666061606560600504b03042d000000080000002100ce2ce0d3ffffffffff"
    "ffffff05001400662e6e707901001000980000000000000056000000000000009bec17ea1b10c9c8"
    "50c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a120f292a4d050a"
    "17672416a402b91a463a0ac69a3a0ab50ae4032e06307070606068b007620710878161810300504b"
    "01022d032d0000000800000021001a4e987e520000008c0000000500000000000000000000008001"
    "00000000612e6e7079504b01022d032d000000080000002100ce2ce0d35600000098000000050000"
    "000000000000000000800189000000662e6e7079504b050600000000020002006600000016010000"
    "0000";

TEST_F(Files, ReadsWhatNumpyWrote) {
  const auto arrays = read_npz(put("x.npz", unhex(kNpzOfNumpy)));
  ASSERT_TRUE(arrays.ok()) << arrays.error().text;
  ASSERT_EQ(arrays->size(), 2u);
  const NamedTensor& a = (*arrays)[0];
  EXPECT_EQ(a.key, "a");
  EXPECT_EQ(describe(a.tensor), "int16 [2, 3]");
  EXPECT_EQ(elements<int16_t>(a.tensor), (std::vector<int16_t>{0, 1, 2, 3, 4, 5}));
  const NamedTensor& f = (*arrays)[1];
  EXPECT_EQ(describe(f.tensor), "float32 [2, 3] order [1, 0]");
  EXPECT_EQ(elements<float>(f.tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_F(Files, DamagedNpzIsRefused) {
  const std::string good = unhex(kNpzOfNumpy);
  for (size_t cut = 0; cut < good.size(); cut += 7) {
    EXPECT_FALSE(read_npz(put("cut.npz", good.substr(0, cut))).ok()) << cut;
  }
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x80);
    (void)read_npz(put("flip.npz", bad));
  }
}

TEST_F(Files, NpzAndNpyRoundTrip) {
  const NamedTensor tensors[] = {{"x", iota({2, 3})}, {"y", HostTensor(DType::kBool, {3})}};
  const auto bytes = to_npz(tensors);
  ASSERT_TRUE(bytes.ok());
  const auto back = read_npz(put("r.npz", *bytes));
  ASSERT_TRUE(back.ok()) << back.error().text;
  EXPECT_EQ(elements<float>((*back)[0].tensor), elements<float>(tensors[0].tensor));
  EXPECT_EQ(describe((*back)[1].tensor), "bool [3]");
  EXPECT_FALSE(to_npy(HostTensor(DType::kBFloat16, {1})).ok());
  // What numpy.save writes, byte for byte.
  HostTensor flags(DType::kBool, {2});
  flags.mutable_data<bool>()[0] = true;
  const std::string text = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_EQ(*to_npy(flags), std::string("\x93NUMPY\x01\x00v\x00", 10) + text +
                                std::string(117 - text.size(), ' ') + "\n" +
                                std::string("\x01\x00", 2));
}

TEST(Npy, RefusesWhatDoesNotFit) {
  const auto npy = [](const std::string& header, size_t data) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
           std::string(data, '\0');
  };
  const auto read = [](const std::string& bytes) { return parse_npy(span_of(bytes)); };
  EXPECT_TRUE(read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24)).ok());
  EXPECT_TRUE(read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4)).ok());
  for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
                             "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }",
                             "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,), }",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (6", "{}"}) {
    EXPECT_FALSE(read(npy(header, 24)).ok()) << header;
  }
}

std::string safetensors(const std::string& header, size_t data) {
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size() & 0xff);
  bytes[1] = static_cast<char>(header.size() >> 8);
  return bytes + header + std::string(data, '\0');
}

TEST(Safetensors, RoundTripsInAnyDimOrder) {
  const NamedTensor tensors[] = {{"a\"b", iota({2, 3, 4}).reordered({0, 2, 1})},
                                 {"empty", HostTensor(DType::kInt8, {0, 5})}};
  const auto bytes = to_safetensors(tensors, {{"k", "v\n"}});
  ASSERT_TRUE(bytes.ok());
  const auto file = Safetensors::parse(FileBytes::own(*bytes), "memory");
  ASSERT_TRUE(file.ok()) << file.error().text;
  EXPECT_EQ(file->metadata().at("k"), "v\n");
  const auto back = Safetensors::copy(*file->find("a\"b"));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(elements<float>(*back), elements<float>(iota({2, 3, 4})));
  EXPECT_EQ(file->find("empty")->sizes, (std::vector<int64_t>{0, 5}));
  EXPECT_EQ(file->find("missing"), nullptr);
}

TEST(Safetensors, HostileHeadersAreRefused) {
  const auto open = [](const std::string& header, size_t data) {
    return Safetensors::parse(FileBytes::own(safetensors(header, data)), "file");
  };
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  EXPECT_TRUE(open("{" + a + "}", 8).ok());
  struct Bad {
    std::string header;
    size_t data;
    const char* why;
  };
  const Bad cases[] = {
      {"{" + a + "}", 7, "truncated"},
      {"{" + a + "}", 9, "after the last"},
      {"{" + a + "," + a + "}", 8, "twice"},
      {"{" + a + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12, "overlap"},
      {"{" + a + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}})", 20, "unused"},
      {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "do not fit"},
      {R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "natural"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "do not fit"},
      {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", 8, "more"},
      {R"({"a":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}})", 8, "unknown dtype"},
      {R"({"a":3})", 8, "object"},
      {"[]", 0, "JSON"},
      {"{", 0, "JSON"},
      {R"({"__metadata__":{"k":1}})", 0, "__metadata__"},
  };
  for (const Bad& bad : cases) {
    const auto file = open(bad.header, bad.data);
    ASSERT_FALSE(file.ok()) << bad.header;
    EXPECT_NE(file.error().text.find(bad.why), std::string::npos) << file.error().text;
  }
  EXPECT_FALSE(Safetensors::parse(FileBytes::own("abc"), "file").ok());
  EXPECT_FALSE(Safetensors::parse(FileBytes::own(std::string(9, '\xff')), "file").ok());
}

TEST_F(Files, WritingReplacesWholeOrNotAtAll) {
  const std::string name = put("out", "old");
  ASSERT_TRUE(write_file(name, "new").ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(FileBytes::open(name)->bytes().data()), 3),
            "new");
  EXPECT_FALSE(write_file(path("no/such/folder"), "x").ok());
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(name).parent_path())) {
    ++count;
  }
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(FileBytes::open(path("missing")).error().status, Status::kNotFound);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Files, WritingGoesThroughLinks) {
  const std::string file = put("file", "old");
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink("../file", path("folder/near"));
  std::filesystem::create_symlink(path("folder/near"), path("far"));
  std::filesystem::create_symlink("new", path("folder/dangling"));
  ASSERT_TRUE(write_file(path("far"), "through").ok());
  EXPECT_EQ(text_of(file), "through");
  ASSERT_TRUE(write_file(path("folder/dangling"), "made").ok());
  EXPECT_EQ(text_of(path("folder/new")), "made");
  for (const char* link : {"far", "folder/near", "folder/dangling"}) {
    EXPECT_TRUE(std::filesystem::is_symlink(path(link))) << link;
  }
  std::filesystem::create_symlink("circle", path("circle"));
  EXPECT_FALSE(write_file(path("circle"), "x").ok());
}

TEST_F(Files, PipesAreWrittenNotReplaced) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file(path("pipe"), "flows").ok());
  char buffer[8] = {};
  EXPECT_EQ(::read(reader, buffer, sizeof(buffer)), 5);
  EXPECT_STREQ(buffer, "flows");
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_FALSE(write_file(std::filesystem::path(path("pipe")).parent_path(), "x").ok());
}

TEST_F(Files, FilesAppearTogetherOrNotAtAll) {
  const std::string old = put("a", "old");
  {
    OutputFiles files;
    ASSERT_TRUE(files.add(old, "new").ok());
    ASSERT_TRUE(files.add(path("b"), "new").ok());
    EXPECT_FALSE(files.add(path("no/such/folder"), "new").ok());
  }
  EXPECT_EQ(text_of(old), "old");
  const std::filesystem::path folder = std::filesystem::path(old).parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  OutputFiles files;
  ASSERT_TRUE(files.add(old, "new").ok());
  ASSERT_TRUE(files.add(path("b"), "too").ok());
  EXPECT_EQ(text_of(old), "old");
  ASSERT_TRUE(files.put_in_place().ok());
  EXPECT_EQ(text_of(old) + text_of(path("b")), "newtoo");
}

// 2x2: red, green / blue, (10, 20, 30).
const char kPng[] =
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000001349444154789c63f8cf"
    "c0c000c20cffb944e4001a58033a5663a23c0000000049454e44ae426082";

TEST_F(Files, ImagesTakeTheInputsLayout) {
  const std::string name = put("x.png", unhex(kPng));
  ImageOptions raw;
  raw.scale = 1;
  const auto planar = read_image(name, DType::kFloat32, {1, 3, 2, 2}, {0, 1, 2, 3}, raw);
  ASSERT_TRUE(planar.ok()) << planar.error().text;
  EXPECT_EQ(elements<float>(*planar),
            (std::vector<float>{255, 0, 0, 10, 0, 255, 0, 20, 0, 0, 255, 30}));
  const auto packed = read_image(name, DType::kUInt8, {2, 2, 3}, {0, 1, 2}, raw);
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(elements<uint8_t>(*packed),
            (std::vector<uint8_t>{255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30}));
  const auto ordered = read_image(name, DType::kFloat32, {1, 3, 2, 2}, {0, 2, 3, 1}, raw);
  EXPECT_EQ(describe(*ordered), "float32 [1, 3, 2, 2] channels-last");
  EXPECT_EQ(elements<float>(*ordered), elements<float>(*planar));
  ImageOptions normal;
  normal.mean = {0.5, 0.25, 0};
  normal.stddev = {0.5};
  const auto scaled = read_image(name, DType::kFloat32, {3, 2, 2}, {0, 1, 2}, normal);
  EXPECT_FLOAT_EQ(elements<float>(*scaled)[0], 1);
  EXPECT_FLOAT_EQ(elements<float>(*scaled)[4], -0.5f);
  const auto average = read_image(name, DType::kFloat32, {3, 1, 1}, {0, 1, 2}, raw);
  EXPECT_FLOAT_EQ(elements<float>(*average)[0], 265.0f / 4);
  EXPECT_FALSE(read_image(name, DType::kFloat32, {5, 7, 7}, {0, 1, 2}, raw).ok());
  EXPECT_FALSE(read_image(put("y.png", "no"), DType::kFloat32, {3, 2, 2}, {0, 1, 2}, raw).ok());
}

TEST(Wav, ReadsPcm) {
  std::string bytes = "RIFF....WAVEfmt ";
  const auto put = [&](uint32_t value, int count) {
    for (int i = 0; i < count; ++i) {
      bytes += static_cast<char>(value >> (8 * i) & 0xff);
    }
  };
  put(16, 4), put(1, 2), put(2, 2), put(16000, 4), put(64000, 4), put(4, 2), put(16, 2);
  bytes += "data";
  put(8, 4), put(0x4000, 2), put(0x8000, 2), put(0, 2), put(0x2000, 2);
  const auto sound = parse_wav(span_of(bytes));
  ASSERT_TRUE(sound.ok()) << sound.error().text;
  EXPECT_EQ(sound->sample_rate_hz, 16000);
  EXPECT_EQ(sound->samples, (std::vector<float>{0.5f, -1, 0, 0.25f}));
  const auto mono = sound_tensor(*sound, DType::kFloat32, {1, 3});
  EXPECT_EQ(elements<float>(*mono), (std::vector<float>{-0.25f, 0.125f, 0}));
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    (void)parse_wav(span_of(bytes.substr(0, cut)));
  }
  EXPECT_FALSE(parse_wav(span_of(bytes.substr(0, 40))).ok());
}

InputSpec tensor_spec(DType dtype, std::vector<int32_t> sizes) {
  InputSpec spec{Value::Kind::kTensor, dtype, std::move(sizes), {}};
  spec.dim_order.resize(spec.sizes.size());
  std::iota(spec.dim_order.begin(), spec.dim_order.end(), uint8_t{0});
  return spec;
}

TEST(Input, ReadsLiterals) {
  const InputSpec floats = tensor_spec(DType::kFloat32, {2, 2});
  const auto text = [](const Expected<HostValue>& value) {
    return value.ok() ? to_text(*value, 10) : "error: " + value.error().text;
  };
  EXPECT_EQ(text(parse_input("[[1, 2], [3, -inf]]", floats)), "float32 [2, 2]  [1, 2, 3, -inf]");
  EXPECT_EQ(text(parse_input("[1,2,300]:uint8", floats)), "uint8 [3]  [1, 2, 44]");
  EXPECT_EQ(text(parse_input("[]:int64", floats)), "int64 [0]  []");
  EXPECT_EQ(text(parse_input("zeros", floats)), "float32 [2, 2]  [0, 0, 0, 0]");
  EXPECT_EQ(text(parse_input("0.5", tensor_spec(DType::kFloat64, {}))), "float64 []  [0.5]");
  EXPECT_EQ(text(parse_input("true", tensor_spec(DType::kBool, {}))), "bool []  [true]");
  EXPECT_EQ(text(parse_input("random:7", floats)), text(parse_input("random:7", floats)));
  EXPECT_NE(text(parse_input("random:7", floats)), text(parse_input("random:8", floats)));
  EXPECT_EQ(text(parse_input("3", {Value::Kind::kInt, {}, {}, {}})), "3");
  EXPECT_EQ(text(parse_input("3", {Value::Kind::kDouble, {}, {}, {}})), "3");
  EXPECT_EQ(text(parse_input("True", {Value::Kind::kBool, {}, {}, {}})), "true");
  for (const char* bad : {"[1,[2]]", "[[1,2],[3]]", "[1,2", "[1 2]", "[1]:float9", "[1]:complex64",
                          "random:x", "abc", "", "x.npy", "[[],[1]]", "[1,]"}) {
    EXPECT_FALSE(parse_input(bad, floats).ok()) << bad;
  }
  EXPECT_FALSE(parse_input("0.5", {Value::Kind::kInt, {}, {}, {}}).ok());
  EXPECT_FALSE(parse_input("zeros", {Value::Kind::kInt, {}, {}, {}}).ok());
}

TEST_F(Files, PicksTensorsByKey) {
  const NamedTensor tensors[] = {{"a", iota({2})}, {"b", iota({3})}};
  const std::string name = put("t.safetensors", *to_safetensors(tensors));
  const InputSpec spec = tensor_spec(DType::kFloat32, {3});
  EXPECT_EQ(to_text(*parse_input(name + ":b", spec), 9), "float32 [3]  [0, 1, 2]");
  EXPECT_NE(parse_input(name, spec).error().text.find("2 tensors: a, b"), std::string::npos);
  EXPECT_NE(parse_input(name + ":c", spec).error().text.find("no 'c'"), std::string::npos);
}

}  // namespace
}  // namespace cresset::data
