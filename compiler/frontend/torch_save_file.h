// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "compiler/frontend/pickle.h"
#include "compiler/frontend/stored_tensor.h"
#include "compiler/frontend/zip_archive.h"

namespace cresset::frontend {

// What torch.save() wrote: a zip archive of one pickle stream and the storages that it refers to.
class TorchSaveFile {
 public:
  // `name` is what messages call the file.
  static Expected<std::unique_ptr<TorchSaveFile>> open(SharedBytes bytes, std::string name);

  const PickleValue& root() const { return pickle_.root(); }
  // The tensor that `value`, one of the values below root(), describes. `name` is for messages.
  Expected<StoredTensor> tensor(const PickleValue& value, const std::string& name);
  // The tensors of the state of the tensor subclass that `value` describes.
  Expected<StoredSubclass> subclass(const PickleValue& value, const std::string& name);

 private:
  TorchSaveFile(ZipArchive archive, Pickle pickle, std::string name, std::string folder)
      : archive_(std::move(archive)),
        pickle_(std::move(pickle)),
        name_(std::move(name)),
        folder_(std::move(folder)) {}

  Expected<Storage> storage(const PickleTensor& tensor);

  ZipArchive archive_;
  Pickle pickle_;
  std::string name_;
  std::string folder_;  // ends with a slash unless empty
  bool big_endian_ = false;
  // By record, and by what was done to the bytes: swapped by elements of a dtype, signs flipped.
  std::map<std::tuple<std::string, DType, bool, bool>, Storage> storages_;
};

}  // namespace cresset::frontend
