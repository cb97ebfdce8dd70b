# AgEmbed.cmake - turns text files into a C table, at build time
# SPDX-License-Identifier: MIT
#
#   ag_embed(OUT_VAR NAME table ROOT dir FILES a/x.comp b/y.glsl ...)
#
# OUT_VAR receives a .c file that defines
#   const ag_embedded_file table[] = { { "a/x.comp", text, length }, ..., { NULL, NULL, 0 } };
set(AG_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/AgEmbedRun.cmake)

function(ag_embed OUT_VAR)
    cmake_parse_arguments(ARG "" "NAME;ROOT" "FILES" ${ARGN})
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME}.c)
    list(TRANSFORM ARG_FILES PREPEND ${ARG_ROOT}/ OUTPUT_VARIABLE paths)
    list(JOIN ARG_FILES "|" joined)
    add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAME=${ARG_NAME} -DROOT=${ARG_ROOT} "-DFILES=${joined}"
                -P ${AG_EMBED_SCRIPT}
        DEPENDS ${paths} ${AG_EMBED_SCRIPT}
        COMMENT "Embedding ${ARG_NAME}" VERBATIM)
    set(${OUT_VAR} ${out} PARENT_SCOPE)
endfunction()
