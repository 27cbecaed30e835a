# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# Toolchain file: RISC-V rv32imc bare metal with the distribution's GCC and picolibc.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Not rv32imc_zicsr: it matches no multilib and GCC would silently link 64-bit libraries.
set(cresset_arch "-march=rv32imc -mabi=ilp32 --specs=picolibc.specs")
set(CMAKE_C_FLAGS_INIT "${cresset_arch}")
set(CMAKE_CXX_FLAGS_MINSIZEREL_INIT "-Os -DNDEBUG")

# The folder lies in build/, whatever the build folder, so that it is fetched once.
get_filename_component(cresset_root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
execute_process(
  COMMAND "${cresset_root}/tools/device_headers" "${cresset_root}/build/device-headers"
  OUTPUT_VARIABLE cresset_headers
  OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE cresset_result)
if(cresset_result)
  message(FATAL_ERROR "the device build needs C++ headers (tools/device_headers)")
endif()
string(REPLACE "\n" " -isystem " cresset_headers "${cresset_headers}")
set(CMAKE_CXX_FLAGS_INIT "${cresset_arch} -isystem ${cresset_headers}")

set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
