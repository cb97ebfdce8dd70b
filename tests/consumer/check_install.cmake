# check_install.cmake - installs; the tree is complete and has no trace of where it was built
# SPDX-License-Identifier: MIT
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file
        include/afterglow/afterglow.h include/afterglow/bloom.h include/afterglow/convolve.h
        include/afterglow/spectrum.h
        ${LIBDIR}/libafterglow.so ${LIBDIR}/libafterglow.so.1 ${LIBDIR}/libafterglow.a
        ${LIBDIR}/cmake/afterglow/afterglowConfig.cmake
        ${LIBDIR}/cmake/afterglow/afterglowConfigVersion.cmake
        ${LIBDIR}/pkgconfig/afterglow.pc
        share/afterglow/shaders/common/interface.h share/doc/afterglow/LICENSE)
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
