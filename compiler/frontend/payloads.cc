// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/payloads.h"

#include "compiler/frontend/mapped_file.h"
#include "compiler/frontend/schema_enums.h"

namespace cresset::frontend {

Expected<Payloads> Payloads::open(const Pt2Archive& archive, const std::string& program) {
  Payloads payloads;
  payloads.archive_ = &archive;
  payloads.weights_.what = "weight";
  payloads.constants_.what = "constant";
  Error error;
  if (archive.legacy()) {
    error = payloads.open_source(&payloads.weights_, "serialized_state_dict.pt", {});
    if (error.ok()) {
      error = payloads.open_source(&payloads.constants_, "serialized_constants.pt", {});
    }
  } else {
    payloads.weights_.folder = "data/weights/";
    payloads.constants_.folder = "data/constants/";
    error = payloads.open_source(&payloads.weights_, "data/weights/" + program + ".pt",
                                 {"data/weights/" + program + "_weights_config.json",
                                  "data/weights/" + program + "_model_param_config.json"});
    if (error.ok()) {
      error = payloads.open_source(&payloads.constants_, "data/constants/" + program + ".pt",
                                   {"data/constants/" + program + "_constants_config.json",
                                    "data/constants/" + program + "_model_constants_config.json"});
    }
  }
  if (!error.ok()) {
    return error;
  }
  return payloads;
}

Error Payloads::open_source(Source* source, const std::string& pickled,
                            const std::vector<std::string>& configs) {
  if (archive_->has(pickled)) {
    Expected<SharedBytes> bytes = archive_->read(pickled);
    if (!bytes.ok()) {
      return bytes.error();
    }
    const std::string name = archive_->name() + ": " + pickled;
    Expected<std::unique_ptr<TorchSaveFile>> file = TorchSaveFile::open(std::move(*bytes), name);
    if (!file.ok()) {
      return file.error();
    }
    if ((*file)->root().kind != PickleKind::kDict) {
      return {Status::kInvalidExternalData, name + " does not hold a dictionary of tensors"};
    }
    source->pickled = std::move(*file);
    return {};
  }
  for (const std::string& config : configs) {
    if (archive_->has(config)) {
      return read_config(config, source);
    }
  }
  return {Status::kInvalidExternalData, archive_->name() + ": the list of " + source->what + "s (" +
                                            (configs.empty() ? pickled : configs.front()) +
                                            ") is missing"};
}

Error Payloads::read_config(const std::string& record, Source* source) {
  Expected<SharedBytes> text = archive_->read(record);
  if (!text.ok()) {
    return text.error();
  }
  Expected<std::unique_ptr<JsonDocument>> document =
      JsonDocument::parse(text->text(), archive_->name() + ": " + record);
  if (!document.ok()) {
    return document.error();
  }
  (*document)->root().field("config").each_member([&](std::string_view name, const Json& json) {
    Payload payload;
    payload.record = json.field("path_name").as_text();
    const Json pickled = json.optional("use_pickle");
    payload.pickled = !pickled.is_null() && pickled.as_bool();
    const Json meta = json.optional("tensor_meta");
    if (!meta.is_null()) {
      payload.has_meta = true;
      payload.meta.dtype = read_dtype(meta.field("dtype"));
      payload.meta.sizes = read_static_ints(meta.field("sizes"));
      payload.meta.strides = read_static_ints(meta.field("strides"));
      payload.meta.offset_elems = read_static_int(meta.field("storage_offset"));
      read_strided_layout(meta);
    }
    source->payloads.emplace(name, std::move(payload));
  });
  return (*document)->error();
}

Expected<Storage> Payloads::raw_storage(const std::string& record, DType dtype) {
  const auto key = std::make_pair(record, archive_->big_endian() ? dtype : DType::kUInt8);
  if (const auto found = storages_.find(key); found != storages_.end()) {
    return found->second;
  }
  Expected<SharedBytes> bytes = archive_->read(record);
  if (!bytes.ok()) {
    return bytes.error();
  }
  Storage storage =
      share_bytes(archive_->big_endian() ? swap_elements(*bytes, dtype) : std::move(*bytes));
  storages_.emplace(key, storage);
  return storage;
}

std::string Payloads::shown(const Source& source, const std::string& name) const {
  return std::string(source.what) + " '" + name + "'";
}

Expected<StoredTensor> Payloads::tensor(Dictionary dictionary, const std::string& name) {
  Source& source = this->source(dictionary);
  if (source.pickled != nullptr) {
    const PickleValue* value = source.pickled->root().get(name);
    if (value != nullptr) {
      return source.pickled->tensor(*value, shown(source, name));
    }
  }
  const auto found = source.payloads.find(name);
  if (found == source.payloads.end()) {
    return Error{Status::kInvalidExternalData,
                 archive_->name() + ": " + shown(source, name) + " is missing"};
  }
  const Payload& payload = found->second;
  if (payload.pickled || !payload.has_meta) {
    return Error{Status::kNotSupported, archive_->name() + ": " + shown(source, name) +
                                            " is a Python object, not a plain tensor (record " +
                                            payload.record + ")"};
  }
  StoredTensor tensor = payload.meta;
  Expected<Storage> storage = raw_storage(source.folder + payload.record, tensor.dtype);
  if (!storage.ok()) {
    return storage.error();
  }
  tensor.storage = std::move(*storage);
  if (Error error = check_view(tensor, archive_->name() + ": " + shown(source, name));
      !error.ok()) {
    return error;
  }
  return tensor;
}

bool Payloads::is_subclass(Dictionary dictionary, const std::string& name) const {
  const Source& source = this->source(dictionary);
  if (source.pickled != nullptr) {
    const PickleValue* value = source.pickled->root().get(name);
    return value != nullptr && value->kind == PickleKind::kObject;
  }
  const auto found = source.payloads.find(name);
  return found != source.payloads.end() && found->second.pickled && found->second.has_meta;
}

Expected<StoredSubclass> Payloads::subclass(Dictionary dictionary, const std::string& name) {
  Source& source = this->source(dictionary);
  if (source.pickled != nullptr) {
    const PickleValue* value = source.pickled->root().get(name);
    if (value != nullptr) {
      return source.pickled->subclass(*value, shown(source, name));
    }
  }
  const auto found = source.payloads.find(name);
  if (found == source.payloads.end()) {
    return Error{Status::kInvalidExternalData,
                 archive_->name() + ": " + shown(source, name) + " is missing"};
  }
  Expected<SharedBytes> bytes = archive_->read(source.folder + found->second.record);
  if (!bytes.ok()) {
    return bytes.error();
  }
  Expected<std::unique_ptr<TorchSaveFile>> file = TorchSaveFile::open(
      std::move(*bytes), archive_->name() + ": " + source.folder + found->second.record);
  if (!file.ok()) {
    return file.error();
  }
  return (*file)->subclass((*file)->root(), shown(source, name));
}

}  // namespace cresset::frontend
