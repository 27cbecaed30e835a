// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "extensions/data/file_bytes.h"
#include "extensions/data/host_tensor.h"

namespace cresset::data {

// A .safetensors file: named row-major tensors behind a JSON header. Everything in the header is
// checked when the file is opened: sizes, offsets, that the tensors fill the data without overlap
// or gap, that no key comes twice.
class Safetensors {
 public:
  struct Entry {
    std::string key;
    DType dtype;
    std::vector<int64_t> sizes;
    Span<const uint8_t> bytes;  // within the file; not aligned
  };

  static Expected<Safetensors> open(const std::string& path);
  // `name` stands for the file in messages.
  static Expected<Safetensors> parse(FileBytes file, std::string name);

  const std::string& name() const { return name_; }
  // In the order of their bytes.
  const std::vector<Entry>& entries() const { return entries_; }
  // Null where there is no such key. Lives as long as this object.
  const Entry* find(std::string_view key) const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  // A copy, in row-major order. Refused: a shape that no HostTensor has.
  static Expected<HostTensor> copy(const Entry& entry);

 private:
  Error read_header(std::string_view json, Span<const uint8_t> data);

  FileBytes file_;
  std::string name_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> index_;
  std::map<std::string, std::string> metadata_;
};

struct NamedTensor {
  std::string key;
  HostTensor tensor;
};

// The bytes of a .safetensors file with these tensors in this order, row-major whatever their dim
// order. Refused: a dtype that the format lacks, a key that comes twice.
Expected<std::string> to_safetensors(Span<const NamedTensor> tensors,
                                     const std::map<std::string, std::string>& metadata = {});

}  // namespace cresset::data
