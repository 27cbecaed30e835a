// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json.h"
#include "compiler/frontend/pt2_archive.h"
#include "compiler/frontend/stored_tensor.h"
#include "compiler/frontend/torch_save_file.h"

namespace cresset::frontend {

// The tensors that belong to one program, by the names that its signature uses. Reads lazily: bytes
// of a tensor that nobody asks for are not touched. Where the archive stores raw bytes, tensors are
// views of the mapped file.
class Payloads {
 public:
  // A program has two dictionaries; a tensor that is in both is stored twice and shares nothing.
  enum class Dictionary { kWeights, kConstants };

  // Keeps `archive`'s file alive but not `archive` itself, which must outlive this.
  static Expected<Payloads> open(const Pt2Archive& archive, const std::string& program);

  // Errors: kInvalidExternalData where it is missing or damaged, kNotSupported where it is no
  // tensor.
  Expected<StoredTensor> tensor(Dictionary dictionary, const std::string& name);

  // Whether the entry is a pickled tensor subclass, whose inner tensors subclass() gives.
  bool is_subclass(Dictionary dictionary, const std::string& name) const;
  Expected<StoredSubclass> subclass(Dictionary dictionary, const std::string& name);

 private:
  // One line of a payload config (releases from 2.9 on).
  struct Payload {
    std::string record;
    bool pickled = false;
    bool has_meta = false;
    StoredTensor meta;  // without storage
  };
  struct Source {
    const char* what = "";  // for messages
    std::string folder;     // ends with a slash
    std::map<std::string, Payload, std::less<>> payloads;
    std::unique_ptr<TorchSaveFile> pickled;  // everything in one file (releases up to 2.8)
  };

  Error open_source(Source* source, const std::string& pickled,
                    const std::vector<std::string>& configs);
  Error read_config(const std::string& record, Source* source);
  Expected<Storage> raw_storage(const std::string& record, DType dtype);
  Source& source(Dictionary dictionary) {
    return dictionary == Dictionary::kWeights ? weights_ : constants_;
  }
  const Source& source(Dictionary dictionary) const {
    return dictionary == Dictionary::kWeights ? weights_ : constants_;
  }
  std::string shown(const Source& source, const std::string& name) const;

  const Pt2Archive* archive_ = nullptr;
  Source weights_;
  Source constants_;
  // By record, and by dtype where elements had to be swapped.
  std::map<std::pair<std::string, DType>, Storage> storages_;
};

}  // namespace cresset::frontend
