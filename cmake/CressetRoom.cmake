# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# How a folder becomes a library, a test binary or a program.

# cresset_add_rooms(FOLDER...) adds each folder that has a CMakeLists.txt.
function(cresset_add_rooms)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/rooms/${folder}")
    endif()
  endforeach()
endfunction()

# Links rooms, named by folder (`compiler/ir`), to `target`. Rooms without a CMakeLists.txt are
# named and left out.
function(cresset_link_rooms target scope)
  foreach(room IN LISTS ARGN)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${room}/CMakeLists.txt")
      string(REPLACE "/" "_" name "${room}")
      target_link_libraries(${target} ${scope} cresset_${name})
    else()
      message(STATUS "${target}: room ${room} is missing")
    endif()
  endforeach()
endfunction()

# cresset_room(ROOM COLUMN device|host [DEPS ROOM...] [LIBS TARGET...] [PUBLIC_LIBS TARGET...]
#              [SOURCES FILE...] [HOST_SOURCES FILE...] [OPTIONS FLAG...])
#
# Makes the library cresset_<room> (slashes become underscores; alias cresset::<room>) from every
# *.cc of the calling folder except *_test.cc and *_bench.cc, or from SOURCES where given. A folder
# without sources is a header-only room. `#include` paths start at the root of the repository.
#   DEPS          rooms that this one includes, by folder
#   LIBS          third-party targets, used by sources only; PUBLIC_LIBS: by headers too
#   HOST_SOURCES  sources of a device room that are host code: C++20, left out of device builds
#   OPTIONS       further compile options
function(cresset_room room)
  cmake_parse_arguments(arg "" "COLUMN" "DEPS;LIBS;PUBLIC_LIBS;SOURCES;HOST_SOURCES;OPTIONS" ${ARGN})
  if(NOT arg_COLUMN MATCHES "^(device|host)$")
    message(FATAL_ERROR "cresset_room(${room}): COLUMN must be device or host")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cresset_room(${room}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  string(REPLACE "/" "_" name "${room}")
  set(target cresset_${name})

  set(sources ${arg_SOURCES})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS "*.cc")
    list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  endif()
  list(TRANSFORM arg_HOST_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  if(CRESSET_DEVICE_ONLY)
    list(REMOVE_ITEM sources ${arg_HOST_SOURCES})
  elseif(arg_HOST_SOURCES)
    list(APPEND sources ${arg_HOST_SOURCES})
    list(REMOVE_DUPLICATES sources)
    set_source_files_properties(${arg_HOST_SOURCES} PROPERTIES
                                COMPILE_OPTIONS "${CRESSET_HOST_SOURCE_FLAGS}")
  endif()

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(${target} PRIVATE ${CRESSET_WARNINGS} ${arg_OPTIONS})
    if(arg_COLUMN STREQUAL "device")
      set_target_properties(${target} PROPERTIES CXX_STANDARD 17)
      target_compile_options(${target} PRIVATE ${CRESSET_DEVICE_FLAGS})
    else()
      set_target_properties(${target} PROPERTIES CXX_STANDARD 20)
      # GCC 12 sees uninitialised members in every std::variant that holds a string.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    target_link_libraries(${target} PRIVATE ${arg_LIBS})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(cresset::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                             "$<INSTALL_INTERFACE:include/cresset>")
  cresset_link_rooms(${target} ${scope} ${arg_DEPS})
  target_link_libraries(${target} ${scope} ${arg_PUBLIC_LIBS})
  set_property(GLOBAL APPEND PROPERTY CRESSET_ROOMS ${room})
  set_property(GLOBAL PROPERTY CRESSET_COLUMN_${name} ${arg_COLUMN})
endfunction()

# Stops configuration where a row of the calling kernel library's kernels.def has no source.
function(cresset_check_kernels)
  set(manifest "${CMAKE_CURRENT_SOURCE_DIR}/kernels.def")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}")
  file(STRINGS "${manifest}" rows REGEX "^KERNEL")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^KERNEL[A-Z_]*\\(([A-Za-z0-9_]+)\\).*" "\\1" id "${row}")
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${id}.cc")
      message(FATAL_ERROR "${manifest}: ${row} needs ${CMAKE_CURRENT_SOURCE_DIR}/${id}.cc")
    endif()
  endforeach()
endfunction()

# Flags and include paths of host programs and tests.
function(cresset_host_executable target)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20)
  target_compile_options(${target} PRIVATE ${CRESSET_WARNINGS} -Wno-maybe-uninitialized)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# cresset_tests(ROOM [DEPS ROOM...] [LIBS TARGET...] [SOURCES FILE...])
#
# Makes one GoogleTest binary, unit/<room>_test, from the calling folder's *_test.cc, linked with
# the room and DEPS, and registers it with ctest. Tests are C++20 whatever the room's column. They
# may use the macros CRESSET_SOURCE_DIR (root of the repository) and CRESSET_CORPUS_DIR.
function(cresset_tests room)
  if(NOT CRESSET_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "DEPS;LIBS;SOURCES" ${ARGN})
  string(REPLACE "/" "_" name "${room}")
  set(sources ${arg_SOURCES})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS "*_test.cc")
  endif()
  if(NOT sources)
    return()
  endif()
  set(target ${name}_test)
  add_executable(${target} ${sources})
  cresset_host_executable(${target})
  target_compile_definitions(${target} PRIVATE CRESSET_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             CRESSET_CORPUS_DIR="${CRESSET_CORPUS_DIR}")
  if(TARGET cresset_${name})
    target_link_libraries(${target} PRIVATE cresset_${name})
  endif()
  cresset_link_rooms(${target} PRIVATE ${arg_DEPS})
  target_link_libraries(${target} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unit")
  add_test(NAME ${name} COMMAND ${target} --gtest_brief=1
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endfunction()

# cresset_program(NAME [DEPS ROOM...] [LIBS TARGET...] SOURCES FILE...)
# Makes a host program that lies directly in the build folder.
function(cresset_program target)
  cmake_parse_arguments(arg "" "" "DEPS;LIBS;SOURCES" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "cresset_program(${target}): SOURCES is empty")
  endif()
  add_executable(${target} ${arg_SOURCES})
  cresset_host_executable(${target})
  cresset_link_rooms(${target} PRIVATE ${arg_DEPS})
  target_link_libraries(${target} PRIVATE ${arg_LIBS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()
