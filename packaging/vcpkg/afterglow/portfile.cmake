# An overlay port, which builds the repository that it lies in. Not verified in vcpkg (docs/packages.md).
# SPDX-License-Identifier: MIT
#
#   vcpkg install afterglow --overlay-ports=packaging/vcpkg
#
# A port for the registry replaces SOURCE_PATH by vcpkg_from_github with the release's REF and SHA512.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# glad 2 generates GL's headers when CMake configures; a release's tarball has them.
set(GLAD_OPTION "")
if(NOT EXISTS ${SOURCE_PATH}/cmake/glad)
    x_vcpkg_get_python_packages(PYTHON_VERSION 3 PACKAGES glad2 OUT_PYTHON_VAR PYTHON3)
    get_filename_component(PYTHON3_DIR "${PYTHON3}" DIRECTORY)
    find_program(GLAD glad PATHS "${PYTHON3_DIR}" "${PYTHON3_DIR}/Scripts" NO_DEFAULT_PATH REQUIRED)
    set(GLAD_OPTION -DAG_GLAD=${GLAD})
endif()

# A triplet has one kind of library.
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" BUILD_SHARED)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" BUILD_STATIC)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${GLAD_OPTION}
        -DAG_BUILD_SHARED=${BUILD_SHARED} -DAG_BUILD_STATIC=${BUILD_STATIC} -DAG_INSTALL=ON
        -DAG_BUILD_DEMO=OFF -DAG_BUILD_LADDER=OFF -DAG_BUILD_VIEWER=OFF -DAG_BUILD_TESTS=OFF -DAG_BUILD_BENCH=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME afterglow CONFIG_PATH lib/cmake/afterglow)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
