# AgEmbedRun.cmake - the build step of AgEmbed.cmake
# SPDX-License-Identifier: MIT
#
# Writes bytes, not string literals, because C11 guarantees only 4095 characters in a literal.
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
    file(READ ${ROOT}/${file} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
           "\\1\n" hex "${hex}")
    string(APPEND arrays "static const char text_${index}[] = {\n${hex}0};\n")
    string(APPEND rows "    {\"${file}\", text_${index}, ${bytes}},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT}.new
    "// Generated from files under ${NAME}'s root; do not edit.\n#include \"shader/embedded.h\"\n\n${arrays}\n"
    "const ag_embedded_file ${NAME}[] = {\n${rows}    {0, 0, 0},\n};\n")
file(RENAME ${OUT}.new ${OUT})
