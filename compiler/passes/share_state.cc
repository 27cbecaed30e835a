// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/share_state.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace cresset::passes {

namespace {

using ir::Register;

bool same_contents(const ir::Constant& a, const ir::Constant& b) {
  return a.type == b.type && a.size_bytes == b.size_bytes &&
         (a.size_bytes == 0 || std::memcmp(a.bytes, b.bytes, a.size_bytes) == 0);
}

// The graph's constant of that name, or null.
ir::Value* find_constant(const ir::Graph& graph, const std::string& name) {
  for (const auto& value : graph.values()) {
    if (value->origin() == ir::Value::Origin::kConstant && value->constant()->name == name) {
      return value.get();
    }
  }
  return nullptr;
}

ir::Buffer* find_buffer(ir::Graph* graph, const std::string& name) {
  for (ir::Buffer& buffer : graph->buffers) {
    if (buffer.name == name) {
      return &buffer;
    }
  }
  return nullptr;
}

}  // namespace

ir::Error find_shared_state(const std::vector<std::shared_ptr<ir::Graph>>& methods) {
  std::map<std::string, ir::ConstantPtr> written;
  for (const auto& method : methods) {
    for (const ir::Buffer& buffer : method->buffers) {
      if (buffer.update != nullptr) {
        written.emplace(buffer.name, buffer.initial);
      }
    }
  }
  for (const auto& [name, initial] : written) {
    size_t users = 0;
    for (const auto& method : methods) {
      users +=
          find_buffer(method.get(), name) != nullptr || find_constant(*method, name) != nullptr;
    }
    if (users < 2) {
      continue;
    }
    for (const auto& method : methods) {
      if (ir::Value* constant = find_constant(*method, name)) {
        ir::Value* buffer = method->add_buffer(name, constant->constant());
        method->replace_uses(constant, buffer);
      }
      ir::Buffer* buffer = find_buffer(method.get(), name);
      if (buffer == nullptr) {
        continue;
      }
      if (!same_contents(*buffer->initial, *initial)) {
        return ir::bad_model(
            "buffer '" + name + "' is shared by methods, but '" + method->name +
            "' gives it another type or initial contents; export all methods from one model");
      }
      buffer->shared = true;
    }
  }
  return {};
}

void place_shared_state(std::vector<ir::Schedule>* methods) {
  std::map<std::string, Register> shared;
  for (const ir::Schedule& method : *methods) {
    for (const Register& reg : method.registers) {
      if (reg.shared_state) {
        shared.emplace(reg.state_name, reg);
      }
    }
  }
  uint64_t end = 0;
  for (auto& [name, reg] : shared) {
    reg.arena = 1;
    reg.offset_bytes = end;
    end += (reg.size_bytes + 15) / 16 * 16;
  }
  for (ir::Schedule& method : *methods) {
    std::map<std::string, Register> missing = shared;
    bool uses_any = false;
    for (Register& reg : method.registers) {
      if (reg.shared_state) {
        reg.arena = 1;
        reg.offset_bytes = shared.at(reg.state_name).offset_bytes;
        missing.erase(reg.state_name);
        uses_any = true;
      }
    }
    if (!uses_any) {
      continue;
    }
    for (auto& [name, reg] : missing) {
      reg.block = static_cast<uint32_t>(method.registers.size());
      method.registers.push_back(reg);
    }
    method.arena_bytes = {0, end};
  }
}

}  // namespace cresset::passes
