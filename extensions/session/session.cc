// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/session/session.h"

#include <cstring>

#include "backends/registry.h"
#include "extensions/threads/thread_pool.h"
#include "kernels/registry.h"

namespace cresset {

namespace {

bool has_extension(const std::string& path, const char* extension) {
  const size_t length = std::strlen(extension);
  return path.size() > length && path.compare(path.size() - length, length, extension) == 0;
}

bool is_program(const std::string& path, Span<const uint8_t> bytes) {
  // A flatbuffer's file identifier; the last two characters are the format's version.
  return (bytes.size() >= 8 && (std::memcmp(bytes.data() + 4, "ET", 2) == 0 ||
                                std::memcmp(bytes.data() + 4, "BP", 2) == 0)) ||
         has_extension(path, ".pte") || has_extension(path, ".bpte");
}

}  // namespace

bool is_program_file(const std::string& path) {
  const Expected<data::FileBytes> file = data::FileBytes::open(path);
  return file.ok() && is_program(path, file->bytes());
}

Session::Session()
    : pool_(nullptr, [](ParallelFor* pool) { delete static_cast<ThreadPool*>(pool); }) {}

Session::~Session() = default;

ModuleOptions Session::module_options(Session& session, const SessionOptions& options) {
  ModuleOptions module = options.module;
  if (module.kernels.empty()) {
    const ops::KernelTables tables = kernels::host_kernels();
    module.kernels.assign(tables.begin(), tables.end());
  }
  if (module.backends.empty()) {
    const Backends enabled = backends::enabled();
    module.backends.assign(enabled.begin(), enabled.end());
  }
  if (module.parallel == nullptr && options.threads != 1) {
    session.pool_.reset(new ThreadPool(options.threads));
    module.parallel = session.pool_.get();
  }
  return module;
}

Expected<std::unique_ptr<Session>> Session::open(const std::string& path,
                                                 const SessionOptions& options) {
  Expected<data::FileBytes> file = data::FileBytes::open(path);
  if (!file.ok()) {
    return file.error();
  }
  if (!is_program(path, file->bytes())) {
    ir::Expected<std::vector<compiler::MethodSource>> methods = compiler::methods_of(path);
    if (!methods.ok()) {
      return methods.error();
    }
    return open(*methods, options);
  }
  std::unique_ptr<Session> session(new Session());
  session->program_ = *file;
  Expected<std::unique_ptr<Module>> module =
      Module::from_bytes(*file, path, module_options(*session, options));
  if (!module.ok()) {
    return module.error();
  }
  session->module_ = *std::move(module);
  return session;
}

Expected<std::unique_ptr<Session>> Session::open(const std::vector<compiler::MethodSource>& methods,
                                                 const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session());
  const ModuleOptions module_with = module_options(*session, options);
  compiler::CompileOptions compile = options.compile;
  compile.kernels = module_with.kernels;
  ir::Expected<compiler::CompileResult> compiled = compiler::compile(methods, compile);
  if (!compiled.ok()) {
    return compiled.error();
  }
  session->compiled_ = std::make_unique<compiler::CompileResult>(std::move(*compiled));
  session->program_ = data::FileBytes::own(std::move(session->compiled_->program));
  Expected<std::unique_ptr<Module>> module =
      Module::from_bytes(session->program_, methods[0].path + " (compiled)", module_with);
  if (!module.ok()) {
    return module.error();
  }
  session->module_ = *std::move(module);
  return session;
}

}  // namespace cresset
