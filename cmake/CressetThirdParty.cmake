# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# Libraries from the distribution's packages; scripts/setup installs them. Nothing is downloaded.

find_program(CRESSET_FLATC flatc REQUIRED)

if(CRESSET_DEVICE_ONLY)
  return()
endif()

find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(ZLIB REQUIRED)
# Headers only.
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost REQUIRED)
# libzip's own package file demands the zip programs, which we do not use.
find_package(PkgConfig REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)

if(CRESSET_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
