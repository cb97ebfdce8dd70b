# AgCommit.cmake - a header with the commit of a build, updated with each build
# SPDX-License-Identifier: MIT
#
#   ag_commit(target MACRO)   gives target "commit.h", which defines MACRO as "1a2b3c4d5e6f" or
#                             "1a2b3c4d5e6f-dirty"; "unknown" without git
set(AG_COMMIT_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

if(CMAKE_SCRIPT_MODE_FILE) # at build time
    include(${ROOT}/cmake/origin.cmake OPTIONAL) # of a tarball, which may lie in a repository of others
    set(commit ${AG_ORIGIN_COMMIT})
    if(NOT commit)
        execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=*
            OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(NOT commit)
        set(commit unknown)
    endif()
    file(CONFIGURE OUTPUT ${OUT} CONTENT "#define ${MACRO} \"${commit}\"\n") # not rewritten if equal
    return()
endif()

function(ag_commit target MACRO)
    set(dir ${CMAKE_CURRENT_BINARY_DIR}/${target}_commit)
    add_custom_target(${target}_commit
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUT=${dir}/commit.h -DMACRO=${MACRO}
                -P ${AG_COMMIT_SCRIPT}
        BYPRODUCTS ${dir}/commit.h
        COMMENT "Naming the commit" VERBATIM)
    add_dependencies(${target} ${target}_commit)
    target_include_directories(${target} PRIVATE ${dir})
endfunction()
