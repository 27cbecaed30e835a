// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/message.h"
#include "runtime/data_loader.h"
#include "runtime/named_data.h"

namespace cresset {

namespace schema::flat_tensor {
struct FlatTensor;
}  // namespace schema::flat_tensor

// A data file (.ptd), read and verified: external weights, blobs of delegates.
class FlatTensorMap final : public NamedDataMap {
 public:
  FlatTensorMap() = default;
  FlatTensorMap(const FlatTensorMap&) = delete;
  FlatTensorMap& operator=(const FlatTensorMap&) = delete;

  // Reads the file behind `loader`, which must outlive this. kInvalidExternalData with the reason.
  // Contents load on find().
  Status load(DataLoader& loader, Message& message);

  size_t count() const override;
  const char* key(size_t index) const override;
  Result<NamedDatum> find(const char* key) const override;

 private:
  Status load_flat(Message& message);

  DataLoader* loader_ = nullptr;
  const schema::flat_tensor::FlatTensor* flat_ = nullptr;
  uint64_t segment_base_ = 0;
};

// Several maps seen as one. Holds the caller's list; the maps outlive it.
class JoinedDataMap final : public NamedDataMap {
 public:
  explicit JoinedDataMap(Span<const NamedDataMap* const> maps) : maps_(maps) {}

  // kInvalidExternalData, naming the key, where two maps have the same.
  Status check(Message& message) const;

  size_t count() const override;
  const char* key(size_t index) const override;
  Result<NamedDatum> find(const char* key) const override;

 private:
  Span<const NamedDataMap* const> maps_;
};

}  // namespace cresset
