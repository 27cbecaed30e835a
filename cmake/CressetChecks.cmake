# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# Checks of the tree that run with every build.

if(NOT CRESSET_DEVICE_ONLY)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_custom_target(check_layers ALL
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check_layers" "${PROJECT_SOURCE_DIR}"
    COMMENT "Who includes whom"
    VERBATIM)
endif()
