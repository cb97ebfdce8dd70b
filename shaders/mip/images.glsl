// mip/images.glsl - stores texels of the levels that a dispatch makes
//
//   out       i_copy         with COPY the first level itself
//             i_level1 .. 8  the levels that follow; those above LEVELS are not used
//   host sets LEVELS, COPY   number of levels of the dispatch, 1 .. 8; 1 = also the first one
//             UNIT0 .. 8     image units of i_copy and the levels: literals, as GL 4.3 requires
//   SPDX-License-Identifier: MIT

// A program may declare 8 images, used or not: images that do not exist are i_level1.
#if COPY
layout(binding = UNIT0) LEVEL_IMAGE i_copy;
#else
#define i_copy i_level1
#endif
layout(binding = UNIT1) LEVEL_IMAGE i_level1;
layout(binding = UNIT2) LEVEL_IMAGE i_level2;
layout(binding = UNIT3) LEVEL_IMAGE i_level3;
layout(binding = UNIT4) LEVEL_IMAGE i_level4;
layout(binding = UNIT5) LEVEL_IMAGE i_level5;
layout(binding = UNIT6) LEVEL_IMAGE i_level6;
#if LEVELS > 6
layout(binding = UNIT7) LEVEL_IMAGE i_level7;
#else
#define i_level7 i_level1
#endif
#if LEVELS > 7
layout(binding = UNIT8) LEVEL_IMAGE i_level8;
#else
#define i_level8 i_level1
#endif
// Not an array of images: GL 4.3 requires constant indices. Images that do not exist are not used.
#define STORE_IN(number, exists, i_level) \
    if ((exists) && image == number)      \
        imageStore(i_level, PLACE_DST(p), c);

// `image`: levels below the dispatch's first one; 0 is the copy. p and c are stored as they are.
void store_placed(int image, ivec2 p, vec4 c)
{
    STORE_IN(1, true, i_level1)
    else STORE_IN(2, LEVELS > 1, i_level2)
    else STORE_IN(3, LEVELS > 2, i_level3)
    else STORE_IN(4, LEVELS > 3, i_level4)
    else STORE_IN(5, LEVELS > 4, i_level5)
    else STORE_IN(6, LEVELS > 5, i_level6)
    else STORE_IN(7, LEVELS > 6, i_level7)
    else STORE_IN(8, LEVELS > 7, i_level8)
    else STORE_IN(0, COPY != 0, i_copy)
}
