# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# Options of the build and the flags of the two columns.

option(CRESSET_BUILD_TESTS "Build the unit tests" ON)
option(CRESSET_WERROR "Warnings are errors" ON)
set(CRESSET_SANITIZE "" CACHE STRING "Value for -fsanitize=, for instance address,undefined")
set(CRESSET_SELECTED_OPS "" CACHE FILEPATH
    "selected_ops.def from `cresset compile --emit-ops`: the registry holds only those kernels")
set(CRESSET_BACKENDS "all" CACHE STRING "Backends to build, of backends/backends.def: all, or a;b")
set(CRESSET_CORPUS_DIR "${PROJECT_SOURCE_DIR}/build/corpus" CACHE PATH
    "Where the unpacked corpus lies, for tests; the environment variable CRESSET_CORPUS wins")

if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
  set(CRESSET_DEVICE_ONLY ON)
  set(CRESSET_BUILD_TESTS OFF)
else()
  set(CRESSET_DEVICE_ONLY OFF)
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Flags of the release build" FORCE)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-fno-semantic-interposition)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(CRESSET_DEVICE_ONLY)
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
endif()

find_program(CRESSET_CCACHE ccache)
if(CRESSET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CRESSET_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CRESSET_CCACHE}")
endif()

set(CRESSET_WARNINGS -Wall -Wextra -Wshadow -Wno-unused-parameter -Wno-missing-field-initializers)
if(CRESSET_WERROR)
  list(APPEND CRESSET_WARNINGS -Werror)
endif()
if(CRESSET_SANITIZE)
  # The device column has no RTTI, which the vptr check needs.
  add_compile_options(-fsanitize=${CRESSET_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CRESSET_SANITIZE})
  if(CRESSET_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=vptr)
  endif()
  # Their instrumentation makes GCC see values that the source never has.
  list(APPEND CRESSET_WARNINGS -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
endif()

set(CRESSET_DEVICE_FLAGS -fno-exceptions -fno-rtti -fno-threadsafe-statics
    -ffunction-sections -fdata-sections)
# A source of a device room that only hosts compile (a file loader, for instance).
set(CRESSET_HOST_SOURCE_FLAGS -std=c++20 -fexceptions -frtti -fthreadsafe-statics)
