// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace cresset {

// What went wrong, as one byte. The numbers are ExecuTorch's error codes, so that a status means
// the same to tools of both. The text that explains it travels beside it, in a Message
// (core/message.h).
enum class [[nodiscard]] Status : uint8_t{
    kOk = 0x00,
    kInternal = 0x01,      // a defect of ours
    kInvalidState = 0x02,  // right call, wrong time
    kEndOfMethod = 0x03,

    kNotSupported = 0x10,
    kNotImplemented = 0x11,
    kInvalidArgument = 0x12,
    kInvalidType = 0x13,
    kOperatorMissing = 0x14,

    kNotFound = 0x20,
    kMemoryAllocationFailed = 0x21,
    kAccessFailed = 0x22,
    kInvalidProgram = 0x23,
    kInvalidExternalData = 0x24,
    kOutOfResources = 0x25,

    kDelegateInvalidCompatibility = 0x30,
    kDelegateMemoryAllocationFailed = 0x31,
    kDelegateInvalidHandle = 0x32,
};

constexpr bool ok(Status status) { return status == Status::kOk; }

// A short lower-case phrase, for instance "invalid argument". Static storage.
const char* status_text(Status status);

// Leaves the enclosing function with the status of `expr` unless that is kOk.
#define CRESSET_TRY(expr)                                \
  do {                                                   \
    const ::cresset::Status cresset_try_status = (expr); \
    if (cresset_try_status != ::cresset::Status::kOk) {  \
      return cresset_try_status;                         \
    }                                                    \
  } while (false)

}  // namespace cresset
