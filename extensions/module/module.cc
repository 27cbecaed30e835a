// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/module/module.h"

#include <unistd.h>

#include <algorithm>

#include "extensions/module/shared_state.h"
#include "extensions/module/value_conversion.h"

namespace cresset {
using data::HostValue;

namespace {

// A file may ask for any amount; more than the machine has is refused before it is tried.
uint64_t memory_limit() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGE_SIZE);
  return pages <= 0 || page_bytes <= 0
             ? SIZE_MAX
             : static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
}

}  // namespace

struct Module::DataFile {
  explicit DataFile(data::FileBytes bytes) : loader(std::move(bytes)) {}
  data::MappedLoader loader;
  FlatTensorMap map;
};

struct Module::LoadedMethod {
  Block arena;
  size_t arena_bytes = 0;
  std::vector<Block> buffers;
  std::vector<Span<uint8_t>> planned;
  std::vector<Block> outputs;  // of unplanned outputs
  std::vector<std::unique_ptr<RuntimeValue>> inputs;
  Method method;
};

Module::Module(data::FileBytes bytes, std::string name, ModuleOptions options)
    : name_(std::move(name)), options_(std::move(options)), file_(std::move(bytes)) {}

Module::~Module() = default;

Expected<std::unique_ptr<Module>> Module::load(const std::string& path,
                                               const ModuleOptions& options) {
  auto bytes = data::FileBytes::open(path);
  if (!bytes.ok()) {
    return bytes.error();
  }
  return from_bytes(*std::move(bytes), path, options);
}

Expected<std::unique_ptr<Module>> Module::from_bytes(data::FileBytes bytes, const std::string& name,
                                                     const ModuleOptions& options) {
  std::unique_ptr<Module> module(new Module(std::move(bytes), name, options));
  Error error = module->open();
  if (!error.ok()) {
    error.text = name + ": " + error.text;
    return error;
  }
  return module;
}

Error Module::open() {
  DataLoader* loader = &file_;
  const size_t head_size = static_cast<size_t>(std::min<uint64_t>(file_.size_bytes(), 64));
  const auto head = file_.load(0, head_size);
  if (head.ok() && is_bundled_program(head->data(), head->size())) {
    BundledRange range;
    const Status status = find_bundled_program(file_, &range, message_);
    if (status != Status::kOk) {
      return {status, message_.text()};
    }
    slice_ = std::make_unique<SliceLoader>(file_, range.offset, range.size);
    loader = slice_.get();
  }
  const Status status = program_.load(*loader, message_);
  if (status != Status::kOk) {
    return {status, message_.text()};
  }
  shared_ = std::make_unique<SharedState>(program_);
  return open_data();
}

Error Module::open_data() {
  for (const std::string& path : options_.data_files) {
    auto bytes = data::FileBytes::open(path);
    if (!bytes.ok()) {
      return bytes.error();
    }
    auto file = std::make_unique<DataFile>(*std::move(bytes));
    const Status status = file->map.load(file->loader, message_);
    if (status != Status::kOk) {
      return {status, path + ": " + message_.text()};
    }
    data_maps_.push_back(&file->map);
    data_files_.push_back(std::move(file));
  }
  if (!data_maps_.empty()) {
    data_ = std::make_unique<JoinedDataMap>(Span<const NamedDataMap* const>(data_maps_));
    const Status status = data_->check(message_);
    if (status != Status::kOk) {
      return {status, message_.text()};
    }
  }
  return Error();
}

std::vector<std::string> Module::method_names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < program_.method_count(); ++i) {
    names.emplace_back(program_.method_name(i));
  }
  return names;
}

Error Module::load_method(const std::string& name, LoadedMethod& out) {
  const auto bytes = method_arena_bytes(program_, name.c_str(), options_.events != nullptr);
  const auto meta = program_.method_meta(name.c_str());
  uint64_t keep_contents = 0;
  uint64_t total = 0;
  for (size_t i = 0; meta.ok() && i < meta->planned_buffer_count(); ++i) {
    const size_t size = meta->planned_buffer_bytes(i);
    total += size;
    uint8_t* buffer = nullptr;
    if (shared_->is_shared(name, i)) {
      keep_contents |= shared_->in_use(i) ? uint64_t{1} << i : 0;
      buffer = shared_->buffer(i);
    } else if (total <= memory_limit()) {
      out.buffers.push_back(allocate_block(size));
      buffer = out.buffers.back().get();
    }
    if (buffer == nullptr) {
      return {Status::kMemoryAllocationFailed, "planned buffer " + std::to_string(i) + " of " +
                                                   std::to_string(size) +
                                                   " bytes: not enough memory"};
    }
    out.planned.emplace_back(buffer, size);
  }
  MethodOptions options;
  options.kernels = options_.kernels;
  options.backends = options_.backends;
  options.events = options_.events;
  options.parallel = options_.parallel;
  options.data = data_.get();
  options.max_instructions = options_.max_instructions;
  out.arena_bytes = bytes.ok() ? *bytes : 0;
  Status status = Status::kOk;
  // Delegates and scratch may want more than the tables: the first try says how much, and delegates
  // may say so one after the other.
  for (int attempt = 0; attempt < 16; ++attempt) {
    out.arena = out.arena_bytes > memory_limit() ? nullptr : allocate_block(out.arena_bytes);
    if (out.arena == nullptr) {
      return {Status::kMemoryAllocationFailed,
              "a method arena of " + std::to_string(out.arena_bytes) + " bytes: not enough memory"};
    }
    status = out.method.load(program_, name.c_str(),
                             {{out.arena.get(), out.arena_bytes}, out.planned, keep_contents},
                             options, message_);
    if (status != Status::kMemoryAllocationFailed || out.method.arena_needed() <= out.arena_bytes) {
      break;
    }
    out.arena_bytes = out.method.arena_needed();
  }
  if (status != Status::kOk) {
    return {status, message_.text()};
  }
  out.inputs.resize(out.method.input_count());
  for (size_t i = 0; i < out.method.output_count(); ++i) {
    if (meta->output_kind(i) != Value::Kind::kTensor) {
      continue;
    }
    const TensorInfo info = meta->output(i);
    if (info.planned || info.constant || is_input(out.method, i)) {
      continue;
    }
    out.outputs.push_back(allocate_block(info.nbytes));
    if (out.outputs.back() == nullptr) {
      return {Status::kMemoryAllocationFailed, "output " + std::to_string(i) + " of " +
                                                   std::to_string(info.nbytes) +
                                                   " bytes: not enough memory"};
    }
    status = out.method.set_output_memory(i, out.outputs.back().get(), info.nbytes);
    if (status != Status::kOk) {
      return {status, message_.text()};
    }
  }
  return Error();
}

// Whether output `index` is an input passed through, whose memory is the input's.
bool Module::is_input(const Method& method, size_t index) {
  for (size_t i = 0; i < method.input_count(); ++i) {
    if (&method.input(i) == &method.output(index)) {
      return true;
    }
  }
  return false;
}

Expected<Method*> Module::method(const std::string& name) {
  std::unique_ptr<LoadedMethod>& slot = methods_[name];
  if (slot == nullptr) {
    auto loaded = std::make_unique<LoadedMethod>();
    Error error = load_method(name, *loaded);
    if (!error.ok()) {
      methods_.erase(name);
      error.text = name_ + ": " + error.text;
      return error;
    }
    slot = std::move(loaded);
  }
  return &slot->method;
}

Error Module::set_inputs(const std::string& name, const std::vector<HostValue>& inputs) {
  const Expected<Method*> loaded = method(name);
  if (!loaded.ok()) {
    return loaded.error();
  }
  Method& method = **loaded;
  LoadedMethod& memory = *methods_[name];
  if (inputs.size() != method.input_count()) {
    return invalid("method " + name + " takes " + std::to_string(method.input_count()) +
                   " inputs, given " + std::to_string(inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Kept until the next call: unplanned inputs refer to it.
    memory.inputs[i] = std::make_unique<RuntimeValue>(inputs[i]);
    const Status status = method.set_input(i, memory.inputs[i]->value());
    if (status != Status::kOk) {
      return Error{status, message_.text()};
    }
  }
  return {};
}

Expected<std::vector<HostValue>> Module::run(const std::string& name,
                                             const std::vector<HostValue>& inputs) {
  if (Error failure = set_inputs(name, inputs); !failure.ok()) {
    return failure;
  }
  Method& method = methods_[name]->method;
  const Status status = method.execute();
  if (status != Status::kOk) {
    return Error{status, message_.text()};
  }
  std::vector<HostValue> outputs;
  for (size_t i = 0; i < method.output_count(); ++i) {
    outputs.push_back(to_host(method.output(i)));
  }
  return outputs;
}

void Module::unload(const std::string& name) { methods_.erase(name); }

void Module::reset() {
  methods_.clear();
  shared_ = std::make_unique<SharedState>(program_);
}

HostValue Module::input_after(const std::string& name, size_t index) {
  const auto found = methods_.find(name);
  return found == methods_.end() ? HostValue() : to_host(found->second->method.input(index));
}

Expected<std::vector<Module::Pool>> Module::pools(const std::string& name) {
  const Expected<Method*> loaded = method(name);
  if (!loaded.ok()) {
    return loaded.error();
  }
  std::vector<Pool> pools = {{"method arena", (*loaded)->arena_needed()}};
  const MethodMeta meta = (*loaded)->meta();
  for (size_t i = 0; i < meta.planned_buffer_count(); ++i) {
    pools.push_back({"planned buffer " + std::to_string(i), meta.planned_buffer_bytes(i)});
  }
  return pools;
}

}  // namespace cresset
