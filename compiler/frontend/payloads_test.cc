// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/payloads.h"

#include <gtest/gtest.h>

#include <cstring>

#include "compiler/frontend/corpus_for_test.h"
#include "compiler/frontend/zip_for_test.h"

namespace cresset::frontend {
namespace {

using Dictionary = Payloads::Dictionary;

// The elements of a view, densely in row-major order.
std::string gather(const StoredTensor& tensor) {
  std::string bytes;
  const size_t step = dtype_bytes(tensor.dtype);
  std::vector<int64_t> index(tensor.sizes.size());
  size_t count = 1;
  for (int64_t size : tensor.sizes) {
    count *= static_cast<size_t>(size);
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t at = tensor.offset_elems;
    for (size_t d = 0; d < index.size(); ++d) {
      at += index[d] * tensor.strides[d];
    }
    bytes += tensor.storage->text().substr(static_cast<size_t>(at) * step, step);
    for (size_t d = index.size(); d > 0 && ++index[d - 1] == tensor.sizes[d - 1]; --d) {
      index[d - 1] = 0;
    }
  }
  return bytes;
}

std::vector<float> floats(const StoredTensor& tensor) {
  const std::string bytes = gather(tensor);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// The aliased pair of three views that the format's description gives as a test vector.
constexpr char kAliasedConfig[] =
    R"({"config": {"weight": {"path_name": "weight_0", "is_param": true, "use_pickle": false, )"
    R"("tensor_meta": {"dtype": 7, "sizes": [{"as_int": 3}, {"as_int": 2}], "requires_grad": true, )"
    R"("device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}, {"as_int": 3}], )"
    R"("storage_offset": {"as_int": 0}, "layout": 7}}, "offset_view": {"path_name": "weight_1", )"
    R"("is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 2}], )"
    R"("requires_grad": false, "device": {"type": "cuda", "index": 0}, "strides": [{"as_int": 1}], )"
    R"("storage_offset": {"as_int": 3}, "layout": 7}}, "strided_view": {"path_name": "weight_1", )"
    R"("is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 3}], )"
    R"("requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 2}], )"
    R"("storage_offset": {"as_int": 1}, "layout": 7}}, "broken": {"path_name": "weight_1", )"
    R"("is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 4}], )"
    R"("strides": [{"as_int": 2}], "storage_offset": {"as_int": 0}, "layout": 7}}, )"
    R"("fake": {"path_name": "weight_2", "is_param": false, "use_pickle": false, )"
    R"("tensor_meta": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}], )"
    R"("storage_offset": {"as_int": 0}, "layout": 7}}}})";

std::string float_bytes(const std::vector<float>& values, bool big_endian) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  if (big_endian) {
    for (size_t i = 0; i < bytes.size(); i += 4) {
      std::swap(bytes[i], bytes[i + 3]);
      std::swap(bytes[i + 1], bytes[i + 2]);
    }
  }
  return bytes;
}

std::string aliased_archive(bool big_endian) {
  return ZipForTest()
      .add("m/archive_format", "pt2")
      .add("m/byteorder", big_endian ? "big" : "little")
      .add("m/models/model.json", "{}")
      .add("m/data/weights/model_weights_config.json", kAliasedConfig)
      .add("m/data/weights/weight_0", float_bytes({0, 1, 2, 3, 4, 5}, big_endian))
      .add("m/data/weights/weight_1", float_bytes({10, 11, 12, 13, 14, 15}, big_endian))
      .add("m/data/weights/weight_2", "")
      .add("m/data/constants/model_constants_config.json", R"({"config": {}})")
      .bytes();
}

TEST(Payloads, KeepsViewsAndSharing) {
  for (const bool big_endian : {false, true}) {
    Expected<Pt2Archive> archive =
        Pt2Archive::open(own_bytes(aliased_archive(big_endian)), "test.pt2");
    ASSERT_TRUE(archive.ok()) << archive.error().text;
    Expected<Payloads> payloads = Payloads::open(*archive, "model");
    ASSERT_TRUE(payloads.ok()) << payloads.error().text;
    Expected<StoredTensor> weight = payloads->tensor(Dictionary::kWeights, "weight");
    Expected<StoredTensor> offset = payloads->tensor(Dictionary::kWeights, "offset_view");
    Expected<StoredTensor> strided = payloads->tensor(Dictionary::kWeights, "strided_view");
    ASSERT_TRUE(weight.ok() && offset.ok() && strided.ok());
    EXPECT_EQ(floats(*weight), (std::vector<float>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(floats(*offset), (std::vector<float>{13, 14}));
    EXPECT_EQ(floats(*strided), (std::vector<float>{11, 13, 15}));
    EXPECT_EQ(offset->storage, strided->storage);
    EXPECT_NE(offset->storage, weight->storage);
  }
}

TEST(Payloads, RefusesWhatLeavesItsStorage) {
  Expected<Pt2Archive> archive = Pt2Archive::open(own_bytes(aliased_archive(false)), "test.pt2");
  Expected<Payloads> payloads = Payloads::open(*archive, "model");
  const auto message = [&](const char* name) {
    Expected<StoredTensor> tensor = payloads->tensor(Dictionary::kWeights, name);
    return tensor.ok() ? "" : tensor.error().text;
  };
  EXPECT_NE(message("broken").find("leaves its 6 stored elements"), std::string::npos);
  EXPECT_NE(message("fake").find("fake weights"), std::string::npos);
  EXPECT_NE(message("nothing").find("missing"), std::string::npos);
}

// One model, written by four releases in three layouts, has the same weights in each.
TEST(Payloads, AllLayoutsHoldTheSameWeights) {
  std::vector<std::string> names;
  {
    Expected<Pt2Archive> archive = Pt2Archive::open(corpus_path("models/unet_small/model.pt2"));
    ASSERT_TRUE(archive.ok()) << archive.error().text;
    Expected<SharedBytes> config = archive->read("data/weights/model_weights_config.json");
    ASSERT_TRUE(config.ok());
    Expected<std::unique_ptr<JsonDocument>> json = JsonDocument::parse(config->text(), "config");
    (*json)->root().field("config").each_member(
        [&](std::string_view name, const Json&) { names.emplace_back(name); });
  }
  ASSERT_EQ(names.size(), 92u);
  std::map<std::string, std::string> expected;
  for (const char* variant : {"", "_torch26", "_torch28", "_torch215"}) {
    Expected<Pt2Archive> archive =
        Pt2Archive::open(corpus_path(std::string("models/unet_small") + variant + "/model.pt2"));
    ASSERT_TRUE(archive.ok()) << archive.error().text;
    Expected<Payloads> payloads = Payloads::open(*archive, "model");
    ASSERT_TRUE(payloads.ok()) << payloads.error().text;
    for (const std::string& name : names) {
      Expected<StoredTensor> tensor = payloads->tensor(Dictionary::kWeights, name);
      ASSERT_TRUE(tensor.ok()) << tensor.error().text;
      const std::string bytes = gather(*tensor);
      EXPECT_EQ(expected.emplace(name, bytes).first->second, bytes) << variant << " " << name;
    }
  }
}

TEST(Payloads, ReadsTensorsInsideSubclasses) {
  Expected<Pt2Archive> archive = Pt2Archive::open(corpus_path("executorch/ao_int8wo/model.pt2"));
  ASSERT_TRUE(archive.ok()) << archive.error().text;
  Expected<SharedBytes> config = archive->read("data/weights/model_weights_config.json");
  ASSERT_TRUE(config.ok());
  Expected<std::unique_ptr<JsonDocument>> json = JsonDocument::parse(config->text(), "config");
  Expected<Payloads> payloads = Payloads::open(*archive, "model");
  ASSERT_TRUE(payloads.ok()) << payloads.error().text;
  int subclasses = 0;
  (*json)->root().field("config").each_member([&](std::string_view key, const Json& entry) {
    const std::string name(key);
    if (!entry.field("use_pickle").as_bool()) {
      EXPECT_FALSE(payloads->is_subclass(Dictionary::kWeights, name));
      return;
    }
    ++subclasses;
    EXPECT_TRUE(payloads->is_subclass(Dictionary::kWeights, name));
    EXPECT_FALSE(payloads->tensor(Dictionary::kWeights, name).ok());
    Expected<StoredSubclass> subclass = payloads->subclass(Dictionary::kWeights, name);
    ASSERT_TRUE(subclass.ok()) << subclass.error().text;
    ASSERT_TRUE(subclass->tensors.count("qdata")) << subclass->class_name;
    const StoredTensor& qdata = subclass->tensors.at("qdata");
    EXPECT_EQ(qdata.dtype, DType::kInt8);
    std::vector<int64_t> sizes;
    entry.field("tensor_meta").field("sizes").each([&](const Json& size) {
      sizes.push_back(size.field("as_int").as_int());
    });
    EXPECT_EQ(qdata.sizes, sizes);
    EXPECT_TRUE(subclass->tensors.count("scale"));
  });
  EXPECT_GT(subclasses, 0);
}

}  // namespace
}  // namespace cresset::frontend
