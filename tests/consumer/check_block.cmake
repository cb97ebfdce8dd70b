# check_block.cmake - a file is shown verbatim in README, after the line `<!-- BLOCK -->`
# SPDX-License-Identifier: MIT
file(READ ${README} readme)
file(READ ${FILE} expected)
string(FIND "${readme}" "<!-- ${BLOCK} -->\n```c\n${expected}```\n" at)
if(at LESS 0)
    message(FATAL_ERROR "${README} must show ${FILE} verbatim, in ```c after <!-- ${BLOCK} -->")
endif()
