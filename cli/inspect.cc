// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/core.h>

#include <cstring>

#include "cli/describe.h"
#include "cli/flags.h"
#include "cli/verb.h"
#include "extensions/data/file_bytes.h"

namespace cresset::cli {
namespace {

struct Options {
  std::string path;
  bool ir = false;
  OutputFlags output;
};

enum class FileKind { kProgram, kBundle, kDataFile, kEtdump, kSafetensors, kModel };

// By content; what nothing of ours begins like is for the frontend, which knows the other worlds.
FileKind kind_of(const std::string& path, Span<const uint8_t> bytes) {
  const auto identifier = [&](const char* text) {
    return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, text, 2) == 0;
  };
  const auto named = [&](const std::string& end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  if (identifier("ET") || named(".pte")) {
    return FileKind::kProgram;
  }
  if (identifier("BP") || named(".bpte")) {
    return FileKind::kBundle;
  }
  if (identifier("FT") || named(".ptd")) {
    return FileKind::kDataFile;
  }
  const bool sized_etdump = bytes.size() >= 12 && std::memcmp(bytes.data() + 8, "ED", 2) == 0;
  if (identifier("ED") || sized_etdump || named(".etdump") || named(".etdp")) {
    return FileKind::kEtdump;
  }
  const bool header = bytes.size() > 9 && bytes[8] == '{' && bytes[6] == 0 && bytes[7] == 0;
  return header || named(".safetensors") ? FileKind::kSafetensors : FileKind::kModel;
}

int run(const Options& options) {
  const std::string& path = options.path;
  FileKind kind;
  uint64_t file_bytes = 0;
  {
    const auto bytes = data::FileBytes::open(path);
    if (!bytes.ok()) {
      return fail(bytes.error());
    }
    kind = kind_of(path, bytes->bytes());
    file_bytes = bytes->size();
  }
  if (options.ir) {
    if (kind != FileKind::kProgram && kind != FileKind::kBundle && kind != FileKind::kModel) {
      return fail(path + ": --ir is for models and programs");
    }
    const auto text = kind == FileKind::kModel ? model_listing(path) : program_listing(path);
    if (!text.ok()) {
      return fail(text.error());
    }
    fmt::print("{}", *text);
    return kDone;
  }
  auto description = [&] {
    switch (kind) {
      case FileKind::kProgram:
      case FileKind::kBundle:
        return describe_program(path, kind == FileKind::kBundle);
      case FileKind::kDataFile:
        return describe_data_file(path);
      case FileKind::kEtdump:
        return describe_etdump(path);
      case FileKind::kSafetensors:
        return describe_safetensors(path);
      default:
        return describe_model(path);
    }
  }();
  if (!description.ok()) {
    return fail(description.error());
  }
  description->file_bytes = file_bytes;
  fmt::print("{}",
             options.output.json ? description->json().text() + "\n" : description->text(path));
  return kDone;
}

const VerbRegistration kInspect({"inspect", "Say what a file is and holds",
                                 "  cresset inspect model.pt2\n"
                                 "  cresset inspect model.pte --json\n"
                                 "  cresset inspect model.pt2 --ir\n"
                                 "  cresset inspect weights.safetensors",
                                 40, [](CLI::App& app) -> std::function<int()> {
                                   auto options = std::make_shared<Options>();
                                   app.add_option("FILE", options->path,
                                                  ".pt2 .pte .ptd .bpte .etdump .safetensors")
                                       ->required();
                                   app.add_flag(
                                       "--ir", options->ir,
                                       "Print the graph of a model, the instructions of a program");
                                   add_output_flags(app, &options->output);
                                   app.get_option("--ir")->excludes("--json");
                                   return [options] { return run(*options); };
                                 }});

}  // namespace
}  // namespace cresset::cli
