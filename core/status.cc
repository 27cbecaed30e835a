// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/status.h"

namespace cresset {

const char* status_text(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kInternal:
      return "internal error";
    case Status::kInvalidState:
      return "invalid state";
    case Status::kEndOfMethod:
      return "end of method";
    case Status::kNotSupported:
      return "not supported";
    case Status::kNotImplemented:
      return "not implemented";
    case Status::kInvalidArgument:
      return "invalid argument";
    case Status::kInvalidType:
      return "invalid type";
    case Status::kOperatorMissing:
      return "operator missing";
    case Status::kNotFound:
      return "not found";
    case Status::kMemoryAllocationFailed:
      return "not enough memory";
    case Status::kAccessFailed:
      return "access failed";
    case Status::kInvalidProgram:
      return "invalid program";
    case Status::kInvalidExternalData:
      return "invalid external data";
    case Status::kOutOfResources:
      return "out of resources";
    case Status::kDelegateInvalidCompatibility:
      return "delegate incompatible";
    case Status::kDelegateMemoryAllocationFailed:
      return "delegate out of memory";
    case Status::kDelegateInvalidHandle:
      return "delegate handle invalid";
  }
  return "unknown status";
}

}  // namespace cresset
