// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/flat_tensor_map.h"

#include <cstring>

#include "core/tensor.h"
#include "runtime/extended_header.h"
#include "schema/flat_tensor_generated.h"

namespace cresset {

namespace ptd = schema::flat_tensor;

namespace {

constexpr size_t kHeaderOffset = 8;
constexpr size_t kHeaderLength = 40;
constexpr size_t kMinFileBytes = kHeaderOffset + kHeaderLength;
constexpr uint64_t kMaxFlatBytes = 0x7fffffff;
constexpr uint32_t kMaxDepth = 32;

template <class T>
uint32_t size_of(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

struct Header {
  uint64_t flat_size;  // with the header
  uint64_t segment_base;
  uint64_t segment_bytes;
};

Status parse_header(const uint8_t* head, uint64_t file_size, Header* out, Message& message) {
  if (!ptd::FlatTensorBufferHasIdentifier(head)) {
    return message.fail(
        Status::kInvalidExternalData, "not a data file: identifier \"{}\", expected \"{}\"",
        Span<const char>(reinterpret_cast<const char*>(head) + 4, 4), ptd::FlatTensorIdentifier());
  }
  if (std::memcmp(head + kHeaderOffset, "FH01", 4) != 0 ||
      read_le32(head + kHeaderOffset + 4) < kHeaderLength) {
    return message.fail(Status::kInvalidExternalData, "the data file's header is damaged");
  }
  const uint64_t header_bytes = read_le64(head + kHeaderOffset + 8);
  const uint64_t flat_bytes = read_le64(head + kHeaderOffset + 16);
  out->segment_base = read_le64(head + kHeaderOffset + 24);
  out->segment_bytes = read_le64(head + kHeaderOffset + 32);
  if (header_bytes > file_size || flat_bytes > file_size - header_bytes ||
      out->segment_base > file_size || out->segment_bytes > file_size - out->segment_base) {
    return message.fail(Status::kInvalidExternalData,
                        "the data file is cut off: its header speaks of {} + {} bytes, it has {}",
                        out->segment_base, out->segment_bytes, file_size);
  }
  out->flat_size = header_bytes + flat_bytes;
  if (out->segment_bytes == 0) {
    out->segment_bytes = file_size - out->segment_base;
  }
  return Status::kOk;
}

Status check_datum(const ptd::FlatTensor& flat, const ptd::NamedData& datum, Message& message) {
  if (datum.key() == nullptr) {
    return message.fail(Status::kInvalidExternalData, "a datum of the data file has no key");
  }
  const char* key = datum.key()->c_str();
  if (datum.segment_index() >= size_of(flat.segments())) {
    return message.fail(Status::kInvalidExternalData, "datum {}: segment {} of {}", key,
                        datum.segment_index(), size_of(flat.segments()));
  }
  const auto* layout = datum.tensor_layout();
  if (layout == nullptr) {
    return Status::kOk;
  }
  const uint32_t rank = size_of(layout->sizes());
  if (layout->sizes() == nullptr || layout->dim_order() == nullptr ||
      size_of(layout->dim_order()) != rank || rank > kMaxRank ||
      !dtype_known(static_cast<int>(layout->scalar_type())) ||
      !is_permutation({layout->dim_order()->data(), rank})) {
    return message.fail(Status::kInvalidExternalData, "datum {}: its layout is no tensor's", key);
  }
  size_t bytes = 0;
  const Span<const int32_t> sizes(layout->sizes()->data(), rank);
  if (!tensor_bytes(static_cast<DType>(layout->scalar_type()), sizes, &bytes) ||
      flat.segments()->Get(datum.segment_index())->size() < bytes) {
    return message.fail(Status::kInvalidExternalData,
                        "datum {}: a tensor of shape {} does not fit its {} bytes", key, sizes,
                        flat.segments()->Get(datum.segment_index())->size());
  }
  return Status::kOk;
}

bool has_key(const NamedDataMap& map, const char* key) {
  for (size_t i = 0; i < map.count(); ++i) {
    if (std::strcmp(map.key(i), key) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

Status FlatTensorMap::load(DataLoader& loader, Message& message) {
  loader_ = &loader;
  flat_ = nullptr;
  message.clear();
  const Status status = load_flat(message);
  if (!ok(status)) {
    flat_ = nullptr;
    if (message.length() == 0) {
      message.append("cannot read the data file: {}", status);
    }
  }
  return status;
}

Status FlatTensorMap::load_flat(Message& message) {
  const uint64_t file_size = loader_->size_bytes();
  if (file_size < kMinFileBytes) {
    return message.fail(Status::kInvalidExternalData, "{} bytes are no data file", file_size);
  }
  CRESSET_ASSIGN(const Span<const uint8_t> head, loader_->load(0, kMinFileBytes));
  Header header;
  CRESSET_TRY(parse_header(head.data(), file_size, &header, message));
  loader_->release(head);
  if (header.flat_size < kMinFileBytes || header.flat_size > kMaxFlatBytes) {
    return message.fail(Status::kInvalidExternalData, "the data file's header is damaged");
  }
  const size_t size = static_cast<size_t>(header.flat_size);
  CRESSET_ASSIGN(const Span<const uint8_t> bytes, loader_->load(0, size));
  if (reinterpret_cast<uintptr_t>(bytes.data()) % DataLoader::kDataAlignment != 0) {
    return message.fail(Status::kInvalidArgument,
                        "the data file does not start at a multiple of {}",
                        DataLoader::kDataAlignment);
  }
  flatbuffers::Verifier verifier(bytes.data(), size, kMaxDepth,
                                 static_cast<flatbuffers::uoffset_t>(size / 4));
  if (!ptd::VerifyFlatTensorBuffer(verifier)) {
    return message.fail(Status::kInvalidExternalData, "the data file is damaged");
  }
  const ptd::FlatTensor* flat = ptd::GetFlatTensor(bytes.data());
  for (uint32_t i = 0; i < size_of(flat->segments()); ++i) {
    const auto* segment = flat->segments()->Get(i);
    if (segment->offset() > header.segment_bytes ||
        segment->size() > header.segment_bytes - segment->offset() || segment->size() > SIZE_MAX ||
        (segment->size() != 0 &&
         (header.segment_base + segment->offset()) % DataLoader::kDataAlignment != 0)) {
      return message.fail(Status::kInvalidExternalData, "segment {} of the data file is misplaced",
                          i);
    }
  }
  for (uint32_t i = 0; i < size_of(flat->named_data()); ++i) {
    CRESSET_TRY(check_datum(*flat, *flat->named_data()->Get(i), message));
  }
  segment_base_ = header.segment_base;
  flat_ = flat;
  return Status::kOk;
}

size_t FlatTensorMap::count() const { return flat_ == nullptr ? 0 : size_of(flat_->named_data()); }

const char* FlatTensorMap::key(size_t index) const {
  return flat_->named_data()->Get(static_cast<uint32_t>(index))->key()->c_str();
}

Result<NamedDatum> FlatTensorMap::find(const char* wanted) const {
  for (size_t i = 0; i < count(); ++i) {
    if (std::strcmp(key(i), wanted) != 0) {
      continue;
    }
    const ptd::NamedData& entry = *flat_->named_data()->Get(static_cast<uint32_t>(i));
    const auto* segment = flat_->segments()->Get(entry.segment_index());
    NamedDatum datum;
    CRESSET_ASSIGN(datum.data, loader_->load(segment_base_ + segment->offset(),
                                             static_cast<size_t>(segment->size())));
    if (const auto* layout = entry.tensor_layout()) {
      datum.has_layout = true;
      datum.dtype = static_cast<DType>(layout->scalar_type());
      datum.sizes = {layout->sizes()->data(), layout->sizes()->size()};
      datum.dim_order = {layout->dim_order()->data(), layout->dim_order()->size()};
    }
    return datum;
  }
  return Status::kNotFound;
}

Status JoinedDataMap::check(Message& message) const {
  for (size_t i = 1; i < maps_.size(); ++i) {
    for (size_t k = 0; k < maps_[i]->count(); ++k) {
      const char* key = maps_[i]->key(k);
      for (size_t before = 0; before < i; ++before) {
        if (has_key(*maps_[before], key)) {
          return message.fail(Status::kInvalidExternalData, "two data files have a datum {}", key);
        }
      }
    }
  }
  return Status::kOk;
}

size_t JoinedDataMap::count() const {
  size_t total = 0;
  for (const NamedDataMap* map : maps_) {
    total += map->count();
  }
  return total;
}

const char* JoinedDataMap::key(size_t index) const {
  for (const NamedDataMap* map : maps_) {
    if (index < map->count()) {
      return map->key(index);
    }
    index -= map->count();
  }
  return "";
}

Result<NamedDatum> JoinedDataMap::find(const char* wanted) const {
  for (const NamedDataMap* map : maps_) {
    Result<NamedDatum> found = map->find(wanted);
    if (found.ok() || found.status() != Status::kNotFound) {
      return found;
    }
  }
  return Status::kNotFound;
}

}  // namespace cresset
