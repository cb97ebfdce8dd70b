# AgPackage.cmake - what `cpack` makes: Debian packages, or a .zip for Windows
# SPDX-License-Identifier: MIT
#
#   cmake --workflow --preset package       build/package/packages/*.deb
#
# docs/packages.md says what is in them; `tests/run packages` installs and uses them in a bare Debian.
set(AG_MAINTAINER "" CACHE STRING
    "Name <address> in the packages; empty: DEBFULLNAME and DEBEMAIL of the environment, else the last commit's author")
set(AG_HOMEPAGE "" CACHE STRING "Address in the packages; empty: git's remote, if it is https")
include(${PROJECT_SOURCE_DIR}/cmake/origin.cmake OPTIONAL) # of a tarball, which has no git: packaging/release
function(ag_ask RESULT)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(said "")
    endif()
    set(${RESULT} "${said}" PARENT_SCOPE)
endfunction()
set(AG_CONTACT "${AG_MAINTAINER}")
if(NOT AG_CONTACT AND DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
    set(AG_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
elseif(NOT AG_CONTACT AND DEFINED AG_ORIGIN_AUTHOR)
    set(AG_CONTACT "${AG_ORIGIN_AUTHOR}")
elseif(NOT AG_CONTACT)
    ag_ask(AG_CONTACT git log -1 "--format=%an <%ae>")
endif()
set(AG_ADDRESS "${AG_HOMEPAGE}")
if(NOT AG_ADDRESS AND DEFINED AG_ORIGIN_HOMEPAGE)
    set(AG_ADDRESS "${AG_ORIGIN_HOMEPAGE}")
elseif(NOT AG_ADDRESS)
    ag_ask(AG_ADDRESS git remote get-url origin)
    string(REGEX REPLACE "\\.git$" "" AG_ADDRESS "${AG_ADDRESS}")
    if(NOT AG_ADDRESS MATCHES "^https://[^@]+$")
        set(AG_ADDRESS "")
    endif()
endif()

# The version is CMakeLists.txt's. The date is that of its section of the changelog, which has to be there.
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md AG_SECTIONS REGEX "^## ")
list(GET AG_SECTIONS 0 AG_SECTION)
if(NOT AG_SECTION MATCHES "^## \\[([0-9.]+)\\] - ([0-9]+)-([0-9]+)-([0-9]+)$" OR
        NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
    message(FATAL_ERROR "CHANGELOG.md's first section must be ## [${PROJECT_VERSION}] - YEAR-MONTH-DAY, as "
        "project(VERSION ..) in CMakeLists.txt says; it is: ${AG_SECTION}")
endif()
set(AG_DATE ${CMAKE_MATCH_2}-${CMAKE_MATCH_3}-${CMAKE_MATCH_4})

set(CPACK_PACKAGE_NAME afterglow)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Afterglow authors")
set(CPACK_PACKAGE_CONTACT "${AG_CONTACT}")
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

# ---- libafterglow1, libafterglow-dev, afterglow, gstreamer1.0-afterglow, obs-afterglow, python3-afterglow
#
# CPack has a variable for Multi-Arch from 3.31 on alone; each package's is the second line of its section.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL runtime development)
if(TARGET afterglow_cli)
    list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
foreach(host gstreamer obs python)
    string(TOUPPER ${host} upper)
    if(AG_BUILD_${upper})
        list(APPEND CPACK_COMPONENTS_ALL ${host})
        set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "libafterglow1 (>= ${PROJECT_VERSION})")
    endif()
endforeach()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${AG_CONTACT}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${AG_ADDRESS}")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
string(JOIN "\n" AG_DEBIAN_WHAT # lines of less than 80 columns
    "It adds post-processing to any engine with an OpenGL 4.3 context: FFT bloom"
    "and exact FFT convolution, exact downsampling, mip chains, summed-area"
    "tables and blurs, wavelet denoising. Everything runs as compute dispatches"
    "on textures that the engine owns.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libafterglow1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION "libs\nMulti-Arch: same")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${AG_DEBIAN_WHAT}\nThis package has the library.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${AG_PACKAGE_BUILD_DIR}/triggers)
file(WRITE ${AG_PACKAGE_BUILD_DIR}/triggers "activate-noawait ldconfig\n")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libafterglow-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION "libdevel\nMulti-Arch: same")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libafterglow1 (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS afterglow)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "${AG_DEBIAN_WHAT}\nThis package has the headers, the static library, files for CMake and\npkg-config, and the documents.")

# The programs open EGL, libGL and the viewer's library at run time, which dpkg-shlibdeps does not see.
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME afterglow)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION "graphics\nMulti-Arch: foreign")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS libegl1)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libtiff6 | libtiff5")
set(AG_DEBIAN_TOOLS "This package has the command line, which runs effects on image files")
if(TARGET afterglow_viewer)
    string(APPEND CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS ", libafterglow1 (= ${PROJECT_VERSION}-1)")
    string(APPEND CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS ", libgl1")
    string(APPEND AG_DEBIAN_TOOLS ",\nand the viewer, which shows all of them in a window")
endif()
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "${AG_DEBIAN_WHAT}\n${AG_DEBIAN_TOOLS}.\nThe shaders are there to be read, and edited while the viewer runs.")

set(CPACK_DEBIAN_GSTREAMER_PACKAGE_NAME gstreamer1.0-afterglow)
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_SECTION "video\nMulti-Arch: same")
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_RECOMMENDS gstreamer1.0-gl)
set(CPACK_DEBIAN_GSTREAMER_DESCRIPTION "${AG_DEBIAN_WHAT}\nThis package has elements of GStreamer, for video on the GPU.")

set(CPACK_DEBIAN_OBS_PACKAGE_NAME obs-afterglow)
set(CPACK_DEBIAN_OBS_PACKAGE_SECTION "video\nMulti-Arch: same")
set(CPACK_DEBIAN_OBS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_OBS_PACKAGE_ENHANCES obs-studio)
set(CPACK_DEBIAN_OBS_DESCRIPTION "${AG_DEBIAN_WHAT}\nThis package has a filter of OBS Studio, which blooms the lights of a source.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-afterglow)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION "python\nMulti-Arch: foreign")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
string(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ", python3 (>= 3.10), python3-numpy, libegl1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS libgl1-mesa-dri)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${AG_DEBIAN_WHAT}\nThis package has a module of Python, for NumPy arrays and textures.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${AG_PACKAGE_BUILD_DIR}/postinst ${AG_PACKAGE_BUILD_DIR}/prerm)
file(WRITE ${AG_PACKAGE_BUILD_DIR}/postinst "#!/bin/sh\nset -e\n! command -v py3compile >/dev/null || py3compile -p python3-afterglow\n")
file(WRITE ${AG_PACKAGE_BUILD_DIR}/prerm "#!/bin/sh\nset -e\n! command -v py3clean >/dev/null || py3clean -p python3-afterglow\n")

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

 -- @AG_CONTACT@  @AG_DEBIAN_DATE@
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
