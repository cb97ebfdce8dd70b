# AgGlad.cmake - OpenGL headers and a loader, which Debian's python3-glad generates, offline
# SPDX-License-Identifier: MIT
#
# ag_gl_headers   only the headers: types and enums. The plugin uses nothing else of glad
# ag_glad         headers and loader, for the programs of this project (command line, tests)
#
# The tarball of the sources has what glad made, in cmake/glad (packaging/source), so that it needs no generator.
set(AG_GLAD_EXTENSIONS GL_KHR_debug GL_ARB_timer_query GL_ARB_query_buffer_object GL_KHR_robustness
    GL_ARB_robustness GL_KHR_parallel_shader_compile)
list(JOIN AG_GLAD_EXTENSIONS "," AG_GLAD_EXTENSION_LIST)

# ag_glad_is(folder RESULT): whether the folder has the headers and the loader of these extensions
function(ag_glad_is folder RESULT)
    set(made "")
    if(EXISTS ${folder}/extensions)
        file(READ ${folder}/extensions made)
    endif()
    set(${RESULT} OFF PARENT_SCOPE)
    if(EXISTS ${folder}/src/gl.c AND made STREQUAL AG_GLAD_EXTENSION_LIST)
        set(${RESULT} ON PARENT_SCOPE)
    endif()
endfunction()

set(AG_GLAD_DIR ${CMAKE_CURRENT_LIST_DIR}/glad)
ag_glad_is(${AG_GLAD_DIR} AG_GLAD_THERE)
if(NOT AG_GLAD_THERE)
    set(AG_GLAD_DIR ${PROJECT_BINARY_DIR}/glad)
    ag_glad_is(${AG_GLAD_DIR} AG_GLAD_THERE)
endif()
if(NOT AG_GLAD_THERE)
    find_program(AG_GLAD glad DOC "glad 2, the OpenGL loader generator (Debian: python3-glad)")
    if(NOT AG_GLAD)
        message(FATAL_ERROR "glad 2 is missing: install python3-glad (Debian, Ubuntu) or `pip install glad2`")
    endif()
    execute_process(
        COMMAND ${AG_GLAD} --reproducible --api gl:core=4.3 --extensions ${AG_GLAD_EXTENSION_LIST}
                --out-path ${AG_GLAD_DIR} c --mx
        RESULT_VARIABLE AG_GLAD_RESULT OUTPUT_VARIABLE AG_GLAD_OUTPUT ERROR_VARIABLE AG_GLAD_OUTPUT)
    if(NOT AG_GLAD_RESULT EQUAL 0)
        message(FATAL_ERROR "glad failed:\n${AG_GLAD_OUTPUT}")
    endif()
    file(WRITE ${AG_GLAD_DIR}/extensions "${AG_GLAD_EXTENSION_LIST}")
endif()

add_library(ag_gl_headers INTERFACE)
target_include_directories(ag_gl_headers SYSTEM INTERFACE $<BUILD_INTERFACE:${AG_GLAD_DIR}/include>)
add_library(ag_glad STATIC EXCLUDE_FROM_ALL ${AG_GLAD_DIR}/src/gl.c)
target_link_libraries(ag_glad PUBLIC ag_gl_headers)
set_target_properties(ag_glad PROPERTIES POSITION_INDEPENDENT_CODE ON)
