// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/torch_save_file.h"

#include "compiler/frontend/mapped_file.h"

namespace cresset::frontend {

namespace {

Error invalid(std::string text) { return {Status::kInvalidExternalData, std::move(text)}; }

const char* kind_text(const PickleValue& value) {
  switch (value.kind) {
    case PickleKind::kNone:
      return "None";
    case PickleKind::kBool:
      return "a bool";
    case PickleKind::kInt:
      return "an int";
    case PickleKind::kFloat:
      return "a float";
    case PickleKind::kText:
      return "a text";
    case PickleKind::kTuple:
      return "a tuple";
    case PickleKind::kList:
      return "a list";
    case PickleKind::kDict:
      return "a dictionary";
    case PickleKind::kTensor:
      return "a tensor";
    case PickleKind::kObject:
      return "an object";
    case PickleKind::kGlobal:
    case PickleKind::kDType:
    case PickleKind::kStorage:
      return "a name";
  }
  return "unknown";
}

}  // namespace

Expected<std::unique_ptr<TorchSaveFile>> TorchSaveFile::open(SharedBytes bytes, std::string name) {
  Expected<ZipArchive> archive = ZipArchive::open(std::move(bytes), name);
  if (!archive.ok()) {
    return archive.error();
  }
  std::string folder;
  if (!archive->entries().empty()) {
    const std::string& first = archive->entries().front().name;
    folder = first.substr(0, first.find('/') + 1);
  }
  const ZipEntry* entry = archive->find(folder + "data.pkl");
  if (entry == nullptr) {
    return invalid(name + ": not written by torch.save (there is no data.pkl in it)");
  }
  Expected<SharedBytes> stream = archive->read(*entry);
  if (!stream.ok()) {
    return stream.error();
  }
  Expected<Pickle> pickle = Pickle::parse(stream->view, name);
  if (!pickle.ok()) {
    return pickle.error();
  }
  bool big_endian = false;
  if (const ZipEntry* order = archive->find(folder + "byteorder")) {
    Expected<SharedBytes> text = archive->read(*order);
    if (!text.ok()) {
      return text.error();
    }
    big_endian = text->text() == "big";
    if (!big_endian && text->text() != "little") {
      return invalid(name + ": unknown byte order");
    }
  }
  std::unique_ptr<TorchSaveFile> file(new TorchSaveFile(std::move(*archive), std::move(*pickle),
                                                        std::move(name), std::move(folder)));
  file->big_endian_ = big_endian;
  return file;
}

Expected<Storage> TorchSaveFile::storage(const PickleTensor& tensor) {
  const PickleValue& value = *tensor.storage;
  const bool conjugate = tensor.conjugate && is_complex(tensor.dtype);
  const bool changed = big_endian_ || conjugate || tensor.negate;
  const auto key =
      std::make_tuple(value.text, changed ? tensor.dtype : DType::kUInt8, conjugate, tensor.negate);
  if (const auto found = storages_.find(key); found != storages_.end()) {
    return found->second;
  }
  const ZipEntry* entry = archive_.find(folder_ + "data/" + value.text);
  if (entry == nullptr) {
    return invalid(name_ + ": the record data/" + value.text + " is missing");
  }
  if (static_cast<uint64_t>(value.integer) > entry->size_bytes ||
      static_cast<uint64_t>(value.integer) * dtype_bytes(value.dtype) != entry->size_bytes) {
    return invalid(name_ + ": the record data/" + value.text + " has " +
                   std::to_string(entry->size_bytes) + " bytes, not the " +
                   std::to_string(value.integer) + " elements of " + dtype_text(value.dtype) +
                   " that it should hold");
  }
  Expected<SharedBytes> bytes = archive_.read(*entry);
  if (!bytes.ok()) {
    return bytes.error();
  }
  if (big_endian_) {
    *bytes = swap_elements(*bytes, tensor.dtype);
  }
  if (conjugate) {
    *bytes = flip_signs(*bytes, tensor.dtype, true);
  }
  if (tensor.negate) {
    *bytes = flip_signs(*bytes, tensor.dtype, false);
  }
  Storage storage = share_bytes(std::move(*bytes));
  storages_.emplace(key, storage);
  return storage;
}

Expected<StoredTensor> TorchSaveFile::tensor(const PickleValue& value, const std::string& name) {
  if (value.kind != PickleKind::kTensor) {
    return Error{Status::kNotSupported, name_ + ": " + name + " is " + kind_text(value) +
                                            (value.text.empty() ? "" : " (" + value.text + ")") +
                                            ", not a plain tensor"};
  }
  const PickleTensor& described = *value.tensor;
  Expected<Storage> storage = this->storage(described);
  if (!storage.ok()) {
    return storage.error();
  }
  StoredTensor tensor{described.dtype, described.sizes, described.strides, described.offset_elems,
                      std::move(*storage)};
  if (Error error = check_view(tensor, name_ + ": " + name); !error.ok()) {
    return error;
  }
  return tensor;
}

Expected<StoredSubclass> TorchSaveFile::subclass(const PickleValue& value,
                                                 const std::string& name) {
  if (value.kind != PickleKind::kObject || value.items.size() < 2 ||
      value.items[1]->kind != PickleKind::kDict) {
    return Error{Status::kNotSupported, name_ + ": " + name + " is " + kind_text(value) +
                                            (value.text.empty() ? "" : " (" + value.text + ")") +
                                            ", not a tensor subclass with named tensors in it"};
  }
  StoredSubclass subclass;
  subclass.class_name = value.text;
  const std::vector<const PickleValue*>& state = value.items[1]->items;
  for (size_t i = 0; i + 1 < state.size(); i += 2) {
    if (state[i]->kind != PickleKind::kText || state[i + 1]->kind != PickleKind::kTensor) {
      continue;
    }
    Expected<StoredTensor> tensor = this->tensor(*state[i + 1], name + "." + state[i]->text);
    if (!tensor.ok()) {
      return tensor.error();
    }
    subclass.tensors.insert_or_assign(state[i]->text, std::move(*tensor));
  }
  return subclass;
}

}  // namespace cresset::frontend
