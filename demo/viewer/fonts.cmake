# fonts.cmake - font files as C arrays: cmake -DOUT=x.c -DREGULAR=a.ttf -DMEDIUM=b.ttf -DMONO=c.ttf -P fonts.cmake
# SPDX-License-Identifier: MIT
set(text "// made by fonts.cmake\n#include \"fonts.h\"\n")
foreach(name REGULAR MEDIUM MONO)
    file(READ ${${name}} bytes HEX)
    string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(TOLOWER ${name} lower)
    string(APPEND text "const unsigned char font_${lower}[] = {\n${bytes}};\n"
        "const size_t font_${lower}_size = sizeof font_${lower};\n")
endforeach()
file(WRITE ${OUT} "${text}")
