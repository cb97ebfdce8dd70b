# AgInstallFirst.cmake - the first step of `cmake --install`: builds what is not built yet
# SPDX-License-Identifier: MIT
#
# demo/run and tests build only what they need. What is missing is built before the first file is copied, so that an
# install never stops half-way. Installs run in the order of CMakeLists.txt, so this is included before all others; which
# targets there are is known only when the build is generated.
set(AG_INSTALLED afterglow afterglow_static afterglow_cli afterglow_viewer afterglow_gstreamer afterglow_obs)
set(AG_INSTALLED_FILES "")
set(AG_INSTALLED_NAMES "")
foreach(target IN LISTS AG_INSTALLED)
    string(APPEND AG_INSTALLED_FILES " $<$<TARGET_EXISTS:${target}>:[==[$<TARGET_FILE:${target}>]==]>")
    string(APPEND AG_INSTALLED_NAMES " $<$<TARGET_EXISTS:${target}>:${target}>")
endforeach()
if(AG_BUILD_SHARED AND UNIX)
    string(APPEND AG_INSTALLED_FILES " [==[$<TARGET_SONAME_FILE:afterglow>]==] [==[$<TARGET_LINKER_FILE:afterglow>]==]")
endif()
install(CODE "
set(missing \"\")
foreach(file IN ITEMS ${AG_INSTALLED_FILES})
    if(NOT EXISTS \"\${file}\")
        cmake_path(GET file FILENAME name)
        string(APPEND missing \" \${name}\")
    endif()
endforeach()
if(missing)
    message(STATUS \"Building first:\${missing}\")
    execute_process(RESULT_VARIABLE failed COMMAND [==[${CMAKE_COMMAND}]==] --build [==[${PROJECT_BINARY_DIR}]==]
        $<$<BOOL:$<CONFIG>>:--config $<CONFIG>> --target ${AG_INSTALLED_NAMES})
    if(failed)
        message(FATAL_ERROR \"Nothing was installed: building\${missing} failed, see above\")
    endif()
endif()" ALL_COMPONENTS)
