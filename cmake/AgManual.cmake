# AgManual.cmake - the manual page of the command line and its completions, from the program's own tables
# SPDX-License-Identifier: MIT
#
#   cmake -D PROGRAM=... -D TEMPLATE=... -D VERSION=... -D OUT=... -D GZIP=... -P AgManual.cmake
execute_process(COMMAND ${PROGRAM} help --man OUTPUT_VARIABLE AG_COMMANDS COMMAND_ERROR_IS_FATAL ANY)
set(PROJECT_VERSION ${VERSION})
configure_file(${TEMPLATE} ${OUT}/afterglow.1 @ONLY)
if(GZIP)
    execute_process(COMMAND ${GZIP} -9nc ${OUT}/afterglow.1 OUTPUT_FILE ${OUT}/afterglow.1.gz COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(pair bash:afterglow zsh:_afterglow fish:afterglow.fish)
    string(REGEX MATCH "(.*):(.*)" unused ${pair})
    file(MAKE_DIRECTORY ${OUT}/${CMAKE_MATCH_1})
    execute_process(COMMAND ${PROGRAM} completion ${CMAKE_MATCH_1}
        OUTPUT_FILE ${OUT}/${CMAKE_MATCH_1}/${CMAKE_MATCH_2} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
