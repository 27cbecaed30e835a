// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/foreign_file.h"

#include <cstring>

namespace cresset::frontend {

namespace {

constexpr std::string_view kLegacyCheckpoint =
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8"
    "\x50\x19";

Error refuse(const std::string& path, const std::string& what, bool with_snippet = true) {
  std::string text = path + " is " + what;
  if (with_snippet) {
    text += "; export the model from Python instead:\n";
    text += export_snippet();
  }
  return {Status::kNotSupported, text};
}

bool starts_with(std::string_view text, std::string_view start, size_t at = 0) {
  return text.size() >= at + start.size() && text.compare(at, start.size(), start) == 0;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// ONNX is a bare protobuf message: field 1 (the IR version, a small number), then one of the other
// fields of ModelProto with its right wire type.
bool looks_like_onnx(std::string_view text) {
  if (text.size() < 4 || text[0] != 0x08 || text[1] < 1 || text[1] > 64) {
    return false;
  }
  return std::strchr("\x12\x1a\x22\x32\x3a\x42", text[2]) != nullptr && text[2] != '\0';
}

bool any_entry(const ZipArchive& archive, const std::string& prefix) {
  for (const ZipEntry& entry : archive.entries()) {
    if (starts_with(entry.name, prefix)) {
      return true;
    }
  }
  return false;
}

}  // namespace

const char* export_snippet() {
  return "    import torch\n"
         "    ep = torch.export.export(model.eval(), (example_input,))\n"
         "    torch.export.save(ep, \"model.pt2\")";
}

Error foreign_file_error(const std::string& path, const SharedBytes& file) {
  const std::string_view text = file.text();
  if (text.empty()) {
    return {Status::kInvalidExternalData, path + " is empty"};
  }
  if (starts_with(text, kLegacyCheckpoint)) {
    return refuse(path, "a checkpoint in the old form of torch.save: weights without a program");
  }
  if (text[0] == '\x80' && text.size() > 1 && text[1] >= 2 && text[1] <= 5) {
    return refuse(path, "a Python pickle, which holds no exported program");
  }
  if (starts_with(text, "TFL3", 4)) {
    return refuse(path, "a TensorFlow Lite model");
  }
  if (starts_with(text, "ET", 4) || starts_with(text, "BP", 4)) {
    return refuse(path, "a compiled program already: run it, do not compile it", false);
  }
  if (starts_with(text, "FT", 4)) {
    return refuse(path, "a file of external weights (.ptd), not a model", false);
  }
  if (starts_with(text, "GGUF")) {
    return refuse(path, "a GGUF file: weights without a program");
  }
  if (starts_with(text, "\x89HDF")) {
    return refuse(path, "an HDF5 file (Keras?)");
  }
  if (text.size() > 9 && starts_with(text, "{\"", 8) && load_u64(file.view.data()) < text.size()) {
    return refuse(path, "a safetensors file: weights without a program");
  }
  if (looks_like_onnx(text)) {
    return refuse(path, "an ONNX model");
  }
  if (starts_with(text, "PK")) {
    return {Status::kInvalidExternalData, path + ": damaged zip archive"};
  }
  return refuse(path, "not a torch.export archive");
}

Error foreign_archive_error(const std::string& path, const ZipArchive& archive,
                            const std::string& folder) {
  if (any_entry(archive, folder + "data/aotinductor/")) {
    return refuse(path,
                  "an AOTInductor package: machine code for one processor without the program");
  }
  if (archive.find(folder + "data.pkl") != nullptr) {
    if (archive.find(folder + "constants.pkl") != nullptr || any_entry(archive, folder + "code/")) {
      return refuse(path, "a TorchScript model (torch.jit.save)");
    }
    return refuse(path, "a checkpoint (torch.save): weights without a program");
  }
  if (archive.find(folder + "model.json") != nullptr && any_entry(archive, folder + "tensors/")) {
    return refuse(path, "a TorchScript model of an early release");
  }
  if (archive.find("config.json") != nullptr && archive.find("model.weights.h5") != nullptr) {
    return refuse(path, "a Keras model");
  }
  if (!archive.entries().empty() && ends_with(archive.entries().front().name, ".npy")) {
    return refuse(path, "a NumPy archive (.npz)");
  }
  if (archive.find("serialized_state_dict.json") != nullptr) {
    return refuse(path,
                  "an exported program of PyTorch 2.1 or older; PyTorch 2.6 or newer is needed");
  }
  return refuse(path, "a zip archive but not one of torch.export");
}

}  // namespace cresset::frontend
