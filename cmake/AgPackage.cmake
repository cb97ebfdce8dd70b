# AgPackage.cmake - what `cpack` makes: Debian packages, a .zip for Windows, and a tarball of the sources
# SPDX-License-Identifier: MIT
#
#   cmake --workflow --preset package       build/package/packages/*.deb, *.tar.gz
#
# docs/packages.md says what is in them; `tests/run packages` installs and uses them in a bare Debian.
set(AG_MAINTAINER "The Afterglow authors <maintainers@afterglow.invalid>" CACHE STRING
    "Name and address in the packages; whoever hands packages on puts his own here")

# The version is CMakeLists.txt's. The date is that of its section of the changelog, which has to be there.
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md AG_SECTIONS REGEX "^## ")
list(GET AG_SECTIONS 0 AG_SECTION)
if(NOT AG_SECTION MATCHES "^## \\[([0-9.]+)\\] - ([0-9]+)-([0-9]+)-([0-9]+)$" OR
        NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
    message(FATAL_ERROR "CHANGELOG.md's first section must be ## [${PROJECT_VERSION}] - YEAR-MONTH-DAY, as "
        "project(VERSION ..) in CMakeLists.txt says; it is: ${AG_SECTION}")
endif()
set(AG_DATE ${CMAKE_MATCH_2}-${CMAKE_MATCH_3}-${CMAKE_MATCH_4})

file(READ ${PROJECT_SOURCE_DIR}/packaging/vcpkg/afterglow/vcpkg.json AG_VCPKG)
string(JSON AG_VCPKG_VERSION GET "${AG_VCPKG}" version)
if(NOT AG_VCPKG_VERSION STREQUAL PROJECT_VERSION)
    message(FATAL_ERROR "packaging/vcpkg/afterglow/vcpkg.json is of version ${AG_VCPKG_VERSION}, not ${PROJECT_VERSION}")
endif()

set(CPACK_PACKAGE_NAME afterglow)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Afterglow authors")
set(CPACK_PACKAGE_CONTACT ${AG_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR TGZ)
if(WIN32)
    set(CPACK_GENERATOR ZIP)
elseif(EXISTS /etc/debian_version AND AG_GZIP)
    set(CPACK_GENERATOR DEB)
endif()

# ---- the sources: what git tracks, which tests/packages/check_source.py holds. Nothing that is built or fetched.
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME afterglow-${PROJECT_VERSION})
string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" AG_HERE ${PROJECT_SOURCE_DIR})
set(CPACK_SOURCE_IGNORE_FILES
    "^${AG_HERE}/build/" "^${AG_HERE}/demo/out/" "^${AG_HERE}/\\.cache/" "^${AG_HERE}/\\.git$" "^${AG_HERE}/\\.git/"
    "/__pycache__/" "\\.egg-info/")

# ---- libafterglow1, libafterglow-dev, afterglow
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime development)
if(TARGET afterglow_cli)
    list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${AG_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
string(JOIN "\n" AG_DEBIAN_WHAT # lines of less than 80 columns
    "It adds post-processing to any engine with an OpenGL 4.3 context: FFT bloom"
    "and exact FFT convolution, exact downsampling, mip chains, summed-area"
    "tables and blurs, wavelet denoising. Everything runs as compute dispatches"
    "on textures that the engine owns.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libafterglow1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${AG_DEBIAN_WHAT}\nThis package has the library.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${AG_PACKAGE_BUILD_DIR}/triggers)
file(WRITE ${AG_PACKAGE_BUILD_DIR}/triggers "activate-noawait ldconfig\n")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libafterglow-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libafterglow1 (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION 
    "${AG_DEBIAN_WHAT}\nThis package has the headers, the static library, files for CMake and\npkg-config, copies of the shaders, and the documents.")

# The programs open EGL, GLFW and the viewer's library at run time, which dpkg-shlibdeps does not see.
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME afterglow)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS libegl1)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libtiff6 | libtiff5")
set(AG_DEBIAN_TOOLS "This package has the command line, which runs effects on image files")
if(TARGET afterglow_viewer)
    string(APPEND CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS ", libafterglow1 (= ${PROJECT_VERSION}-1)")
    string(APPEND CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS ", libglfw3")
    string(APPEND AG_DEBIAN_TOOLS ",\nand the viewer, which shows all of them in a window")
endif()
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "${AG_DEBIAN_WHAT}\n${AG_DEBIAN_TOOLS}.")

# What Debian's policy asks of each package: its copyright, and its changelog. `cmake --install` leaves them out.
configure_file(${PROJECT_SOURCE_DIR}/LICENSE ${AG_PACKAGE_BUILD_DIR}/licence COPYONLY) # configure again if it changes
file(READ ${PROJECT_SOURCE_DIR}/LICENSE AG_LICENSE)
file(READ ${PROJECT_SOURCE_DIR}/NOTICE AG_NOTICE)
string(REGEX REPLACE "\nThe tests link .*" "" AG_NOTICE "${AG_NOTICE}") # no test is in a package
file(CONFIGURE OUTPUT ${AG_PACKAGE_BUILD_DIR}/copyright @ONLY CONTENT "@AG_LICENSE@
@AG_NOTICE@
On Debian systems, the text of Apache-2.0 is /usr/share/common-licenses/Apache-2.0.
")
execute_process(COMMAND date -u -d ${AG_DATE} "+%a, %d %b %Y 00:00:00 +0000"
    OUTPUT_VARIABLE AG_DEBIAN_DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${AG_PACKAGE_BUILD_DIR}/changelog @ONLY CONTENT
"afterglow (@PROJECT_VERSION@-1) unstable; urgency=medium

  * Version @PROJECT_VERSION@: CHANGELOG.md of libafterglow-dev has what changed.

 -- @AG_MAINTAINER@  @AG_DEBIAN_DATE@
")
if(AG_GZIP)
    execute_process(COMMAND ${AG_GZIP} -9nc ${AG_PACKAGE_BUILD_DIR}/changelog
        OUTPUT_FILE ${AG_PACKAGE_BUILD_DIR}/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    install(FILES ${AG_PACKAGE_BUILD_DIR}/copyright ${AG_PACKAGE_BUILD_DIR}/changelog.Debian.gz
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
