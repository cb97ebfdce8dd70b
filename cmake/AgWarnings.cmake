# AgWarnings.cmake - ag_warnings: the compiler flags of all targets of this project
# SPDX-License-Identifier: MIT
add_library(ag_warnings INTERFACE)
if(MSVC)
    target_compile_options(ag_warnings INTERFACE /W4 $<$<BOOL:${AG_WERROR}>:/WX>)
else()
    target_compile_options(ag_warnings INTERFACE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow
        $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
        $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
        $<$<COMPILE_LANGUAGE:C>:-Wno-override-init> # afterglow/settings.h: names override defaults
        $<$<BOOL:${AG_WERROR}>:-Werror>)
endif()
if(AG_SANITIZE)
    target_compile_options(ag_warnings INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(ag_warnings INTERFACE -fsanitize=address,undefined)
endif()
