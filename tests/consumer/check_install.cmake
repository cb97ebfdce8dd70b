# check_install.cmake - installs; the tree is complete and has no trace of where it was built
# SPDX-License-Identifier: MIT
#
# With CACHE_ARGS the build folder is made first, and nothing is built in it: as after demo/run, which builds only what it
# runs. The install has to build the rest before it copies the first file.
file(REMOVE_RECURSE ${PREFIX})
if(CACHE_ARGS)
    file(REMOVE_RECURSE ${BUILD})
    string(REPLACE "|" ";" CACHE_ARGS "${CACHE_ARGS}")
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} ${CACHE_ARGS}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# Folders whose files are all installed, and where to: what is added there needs no line here.
set(files "")
foreach(pair engine_plugin/include/afterglow:include/afterglow:h ladder/include/afterglow:include/afterglow:h
        shaders:share/afterglow/shaders:comp
        shaders:share/afterglow/shaders:glsl docs:share/doc/afterglow/docs:md docs/images:share/doc/afterglow/docs/images:png
        docs/images:share/doc/afterglow/docs/images:jpg docs/images:share/doc/afterglow/docs/images:svg)
    string(REGEX MATCH "(.*):(.*):(.*)" unused ${pair})
    file(GLOB_RECURSE found RELATIVE ${SOURCE}/${CMAKE_MATCH_1} ${SOURCE}/${CMAKE_MATCH_1}/*.${CMAKE_MATCH_3})
    if(NOT found)
        message(SEND_ERROR "no files *.${CMAKE_MATCH_3} in ${CMAKE_MATCH_1}")
    endif()
    list(TRANSFORM found PREPEND ${CMAKE_MATCH_2}/)
    list(APPEND files ${found})
endforeach()
set(programs "")
if(DEMO)
    set(programs bin/afterglow share/afterglow/passes/tone_map/pass.comp share/bash-completion/completions/afterglow
        share/zsh/vendor-completions/_afterglow share/fish/vendor_completions.d/afterglow.fish)
    file(GLOB found ${PREFIX}/share/man/man1/afterglow.1*)
    if(NOT found)
        message(SEND_ERROR "not installed: the manual page of afterglow")
    endif()
endif()
foreach(file ${files} ${programs}
        ${LIBDIR}/libafterglow.so ${LIBDIR}/libafterglow.so.1 ${LIBDIR}/libafterglow.a ${LIBDIR}/libafterglow_ladder.so.1
        ${LIBDIR}/cmake/afterglow/afterglowConfig.cmake
        ${LIBDIR}/cmake/afterglow/afterglowConfigVersion.cmake
        ${LIBDIR}/pkgconfig/afterglow.pc
        share/afterglow/shaders/common/interface.h share/doc/afterglow/LICENSE
        share/doc/afterglow/NOTICE share/doc/afterglow/README.md share/doc/afterglow/CHANGELOG.md)
    if(NOT EXISTS ${PREFIX}/${file})
        message(SEND_ERROR "not installed: ${file}")
    endif()
endforeach()

file(GLOB texts ${PREFIX}/${LIBDIR}/cmake/afterglow/*.cmake ${PREFIX}/${LIBDIR}/pkgconfig/*.pc)
foreach(file IN LISTS texts)
    file(READ ${file} text)
    foreach(leak ${SOURCE}/engine_plugin ${BUILD} ag_warnings ag_gl_headers ag_objects)
        string(FIND "${text}" "${leak}" at)
        if(at GREATER_EQUAL 0)
            message(SEND_ERROR "${file} mentions ${leak}")
        endif()
    endforeach()
endforeach()

# One version, that of CMakeLists.txt.
file(READ ${PREFIX}/${LIBDIR}/pkgconfig/afterglow.pc text)
if(NOT text MATCHES "\nVersion: ${VERSION}\n")
    message(SEND_ERROR "afterglow.pc is not of version ${VERSION}:\n${text}")
endif()
if(DEMO)
    execute_process(COMMAND ${PREFIX}/bin/afterglow --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said MATCHES "^afterglow ${VERSION}[ \n]")
        message(SEND_ERROR "bin/afterglow is not of version ${VERSION}: ${said}")
    endif()
endif()
