// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/emitter/data_file.h"

#include <cstring>

#include "schema/flat_tensor_generated.h"

namespace cresset::emitter {

namespace ft = ::cresset::schema::flat_tensor;

namespace {

constexpr uint64_t kSegmentAlignment = 128;
constexpr uint64_t kHeaderBytes = 48;  // 40, padded

uint64_t round_up(uint64_t value) {
  return (value + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment;
}

void put(uint8_t* at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    at[i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

}  // namespace

std::string DataFile::add(const ir::ConstantPtr& constant, const std::vector<int32_t>& sizes) {
  for (int number = 1;; ++number) {
    std::string key = constant->name + (number == 1 ? "" : "#" + std::to_string(number));
    const auto [it, fresh] = data_.try_emplace(key, Datum{constant, sizes, false});
    if (fresh) {
      size_bytes_ += constant->size_bytes;
      return key;
    }
    if (it->second.constant == constant && it->second.sizes == sizes) {
      return key;
    }
  }
}

void DataFile::add_opaque(const ir::ConstantPtr& constant) {
  if (data_.try_emplace(constant->name, Datum{constant, {}, true}).second) {
    size_bytes_ += constant->size_bytes;
  }
}

std::vector<uint8_t> DataFile::write() const {
  flatbuffers::FlatBufferBuilder builder(16 * 1024);
  std::vector<flatbuffers::Offset<ft::DataSegment>> segments;
  std::vector<flatbuffers::Offset<ft::NamedData>> named;
  uint64_t end = 0;
  for (const auto& [key, datum] : data_) {
    const uint64_t offset = round_up(end);
    segments.push_back(ft::CreateDataSegment(builder, offset, datum.constant->size_bytes));
    end = offset + datum.constant->size_bytes;
    if (datum.opaque) {
      named.push_back(
          ft::CreateNamedDataDirect(builder, key.c_str(), static_cast<uint32_t>(named.size())));
      continue;
    }
    const std::vector<uint8_t> order = datum.constant->type.order();
    // A constant read in another shape is row-major: its order follows the sizes.
    std::vector<uint8_t> plain(datum.sizes.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      plain[i] = order.size() == plain.size() ? order[i] : static_cast<uint8_t>(i);
    }
    const auto layout = ft::CreateTensorLayoutDirect(
        builder, static_cast<::cresset::schema::ScalarType>(datum.constant->type.dtype),
        &datum.sizes, &plain);
    named.push_back(ft::CreateNamedDataDirect(builder, key.c_str(),
                                              static_cast<uint32_t>(named.size()), layout));
  }
  builder.Finish(ft::CreateFlatTensorDirect(builder, 0, &segments, &named),
                 ft::FlatTensorIdentifier());

  const uint8_t* flat = builder.GetBufferPointer();
  const uint64_t flat_size = builder.GetSize();
  std::vector<uint8_t> file(flat, flat + 8);
  file.resize(8 + kHeaderBytes);
  file.insert(file.end(), flat + 8, flat + flat_size);
  uint32_t root = 0;
  std::memcpy(&root, flat, sizeof(root));
  const uint64_t base = round_up(file.size());
  put(&file[0], root + kHeaderBytes, 4);
  std::memcpy(&file[8], "FH01", 4);
  put(&file[12], 40, 4);
  put(&file[16], kHeaderBytes, 8);
  put(&file[24], flat_size, 8);
  put(&file[32], base, 8);
  put(&file[40], end, 8);
  file.reserve(base + end);
  file.resize(base);
  for (const auto& [key, datum] : data_) {
    file.resize(base + round_up(file.size() - base));
    file.insert(file.end(), datum.constant->bytes,
                datum.constant->bytes + datum.constant->size_bytes);
  }
  return file;
}

}  // namespace cresset::emitter
