// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/dtype.h"
#include "core/value.h"
#include "runtime/method_meta.h"
#include "schema/program_generated.h"

// What the sources of this room share when they read the FlatBuffers program. Not for other rooms.

namespace cresset {

namespace fb = schema::program;

// The kind of register that a program's value becomes.
Value::Kind kind_of(const fb::EValue& value);

// The tensor's description; the tensor must be verified.
TensorInfo tensor_info(const fb::Tensor& tensor);

// offset_low | offset_high << 32.
inline uint64_t planned_offset(const fb::AllocationDetails& place) {
  return uint64_t(place.memory_offset_low()) | uint64_t(place.memory_offset_high()) << 32;
}

inline bool is_external(const fb::Tensor& tensor) {
  return tensor.extra_tensor_info() != nullptr &&
         tensor.extra_tensor_info()->location() == fb::TensorDataLocation::EXTERNAL;
}

template <class T>
uint32_t size_of(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

// Whether the elements lie where their type wants them; FlatBuffers' verifier does not look, and
// its writer leaves empty vectors where they fall.
template <class T>
bool is_aligned(const flatbuffers::Vector<T>* vector) {
  return size_of(vector) == 0 || reinterpret_cast<uintptr_t>(vector->Data()) % sizeof(T) == 0;
}

inline const char* text_of(const flatbuffers::String* text) {
  return text == nullptr ? "" : text->c_str();
}

}  // namespace cresset
