# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install, find_package(Cresset) and the Debian package.
#
# Every room is installed as Cresset::<room> (`extensions/` and slashes dropped: Cresset::session,
# Cresset::module, Cresset::compiler_ir), its headers under include/cresset, which is the include
# root, so that installed code reads as it does here.

if(CRESSET_DEVICE_ONLY)
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY CRESSET_ROOMS)
list(FILTER rooms EXCLUDE REGEX "^(cli|tests|benchmarks|examples)")
foreach(room IN LISTS rooms)
  string(REPLACE "/" "_" name "${room}")
  string(REGEX REPLACE "^extensions_" "" export_name "${name}")
  set_target_properties(cresset_${name} PROPERTIES EXPORT_NAME "${export_name}")
  install(TARGETS cresset_${name} EXPORT CressetTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/cresset")
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${room}/*.h"
       "${PROJECT_SOURCE_DIR}/${room}/*.def" "${PROJECT_SOURCE_DIR}/${room}/*.fbs")
  list(FILTER headers EXCLUDE REGEX "_test\\.h$")
  install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cresset/${room}")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/generated/schema"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cresset")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Cresset")
install(EXPORT CressetTargets NAMESPACE Cresset:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/CressetConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/CressetConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/CressetConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/CressetConfig.cmake"
  "${PROJECT_BINARY_DIR}/CressetConfigVersion.cmake" DESTINATION "${package_dir}")

if(TARGET cresset)
  install(TARGETS cresset RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cresset)
set(CPACK_PACKAGE_VENDOR "The Cresset Authors")
set(CPACK_PACKAGE_CONTACT "The Cresset Authors <cresset@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the installed CMake package needs to link the static libraries.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "libflatbuffers-dev, libfmt-dev, libsimdjson-dev, libzip-dev, pkg-config")
include(CPack)
