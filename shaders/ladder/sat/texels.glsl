// ladder/sat/texels.glsl - values of a scan: from the image or a table, into a table
//
//   in        t_src, i_src   the image (sat/source.glsl), where FROM_IMAGE is 1
//             i_table        a table that an earlier pass stored, where it is 0
//   out       i_dst          a table
//   host sets FROM_IMAGE, CHANNELS, COUNTS; with FROM_IMAGE 1 the defines of common/source.glsl
//             LOCAL          float | uint; LOCAL_IS_UINT: 0 | 1
//             SAT_ENTRY      the type of an entry: LOCAL or its vector
//             TABLE_FORMAT   with FROM_IMAGE 0: GLSL image format of a table
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(FROM_IMAGE) || !defined(LOCAL_IS_UINT) || !defined(SAT_ENTRY)
#error "FROM_IMAGE, LOCAL_IS_UINT and SAT_ENTRY must be set by the host"
#elif FROM_IMAGE == 0 && !defined(TABLE_FORMAT)
#error "TABLE_FORMAT must be set by the host"
#endif
#define SQUARE 0
#define OFFSET AG_TABLE_PLAIN
#define CENTER 0
#define SUM LOCAL
#define WIDE LOCAL
#define DOUBLES 0
#define VALUE SAT_ENTRY
#include "ladder/sat/interface.h"
#include "sat/types.glsl"
#if FROM_IMAGE
#include "common/info.glsl"
#include "sat/source.glsl"
#endif

layout(location = AG_LOC_SCAN) uniform ivec4 u_scan;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;

ivec2 extent() { return u_scan.xy; } // of what is read

vec4 widened(float v) { return vec4(v, 0.0, 0.0, 0.0); }
vec4 widened(vec2 v) { return vec4(v, 0.0, 0.0); }
vec4 widened(vec4 v) { return v; }
uvec4 widened(uint v) { return uvec4(v, 0u, 0u, 0u); }
uvec4 widened(uvec2 v) { return uvec4(v, 0u, 0u); }
uvec4 widened(uvec4 v) { return v; }

VALUE joined(LOCAL c[CHANNELS])
{
#if CHANNELS == 1
    return c[0];
#elif CHANNELS == 2
    return VALUE(c[0], c[1]);
#else
    return VALUE(c[0], c[1], c[2], c[3]);
#endif
}

#if CHANNELS == 1
#define NARROWED(e) (e).x
#elif CHANNELS == 2
#define NARROWED(e) (e).xy
#else
#define NARROWED(e) (e)
#endif

// A thread fetches all its texels before it looks at one, so that no branch lies between loads:
//     RAW raw = fetch_raw(p) ..; VALUE v = value_of(raw, whether p is inside, bad) ..;
//     count_scrubbed(bad)
// For texels inside: fetch_inside(p), value_of_texel(raw, whether it is bad); the caller counts.
#if FROM_IMAGE
#define RAW vec4
RAW fetch_inside(ivec2 p) { return source_texel(p); }
LOCAL local_value(float x) { return number(x, false, 0.0, false, LOCAL(0)); }

VALUE value_of_texel(RAW raw, out bool is_bad)
{
    vec4 c = linear_colour(scrubbed(raw, is_bad));
    VALUE v = VALUE(local_value(c.r));
#if CHANNELS > 1
    v.y = local_value(c.g);
#endif
#if CHANNELS == 4
    v.z = local_value(c.b);
    v.w = local_value(c.a);
#endif
    return v;
}

void count_scrubbed(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}
#else
#define RAW VALUE
#if LOCAL_IS_UINT
layout(TABLE_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_table;
#else
layout(TABLE_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_table;
#endif
RAW fetch_inside(ivec2 p) { return NARROWED(imageLoad(i_table, p)); }
VALUE value_of_texel(RAW raw, out bool is_bad)
{
    is_bad = false;
    return raw;
}
void count_scrubbed(uint bad) {}
#endif

RAW fetch_raw(ivec2 p) { return fetch_inside(clamp(p, ivec2(0), extent() - 1)); }
bool is_inside(ivec2 p) { return all(lessThan(p, extent())); }

VALUE value_of(RAW raw, bool inside, inout uint bad)
{
    bool is_bad;
    VALUE v = value_of_texel(raw, is_bad);
    bad += uint(is_bad && inside);
    return inside ? v : VALUE(0);
}

// A single texel. `counts`: of the threads that load it, one counts it if it is scrubbed.
VALUE load_value(ivec2 p, bool counts)
{
    uint bad = 0u;
    VALUE v = value_of(fetch_raw(p), is_inside(p), bad);
    if (counts)
        count_scrubbed(bad);
    return v;
}

#if LOCAL_IS_UINT
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;
#else
layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
#endif
void store_value(ivec2 p, VALUE v) { imageStore(i_dst, u_dst_rect.xy + p, widened(v)); }
