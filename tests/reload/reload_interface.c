// reload_interface.c - edits that change what a program binds: refused with a reason, or kept
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reloading.h"
#include "test_reload.h"

void test_interface_refused(void **state)
{
    static const struct {
        const char *name, *file, *from, *to, *why, *place;
        const char *declares; // before the first constant of DIRECT
    } edits[] = {
        {"local size", DIRECT, "layout(local_size_x = 16, local_size_y = 16) in;",
         "layout(local_size_x = 8, local_size_y = 16) in;",
         "the local size is 8 x 16 x 1; the plan's is 16 x 16 x 1", DIRECT, NULL},
        {"block size", "common/info.glsl", "    uint scrubbed;",
         "    uvec4 more;\n    uint scrubbed;", " bytes, an unsized array counted",
         "common/info.glsl", NULL},
        {"block binding", "common/info.glsl", "binding = AG_SSBO_INFO", "binding = 4",
         "at binding 4, where this program has none", "common/info.glsl", NULL},
        {"image unit", DIRECT, "binding = AG_IMAGE_KERNEL) readonly uniform image2D",
         "binding = 5) readonly uniform image2D", "image i_kernel is at unit 5", DIRECT, NULL},
        {"image type", DIRECT,
         "layout(KERNEL_FORMAT, binding = AG_IMAGE_KERNEL) readonly uniform "
         "image2D i_kernel;\n#endif",
         "layout(KERNEL_FORMAT, binding = AG_IMAGE_KERNEL) readonly "
         "uniform image2DArray i_kernel;\n"
         "#define imageLoad(i, p) imageLoad(i, ivec3(p, 0))\n#endif",
         "is image2DArray; the plan's is image2D", DIRECT, NULL},
        {"uniform type", DIRECT, "layout(location = AG_LOC_KEEP) uniform vec4 u_keep;",
         "layout(location = AG_LOC_KEEP) uniform ivec4 u_keep;",
         "uniform u_keep at location 13 is ivec4; the plan's is vec4", DIRECT, NULL},
        {"a uniform that nobody sets", DIRECT, "u_gain * total", "u_gain * u_wish * total",
         "uniform u_wish (vec4) is at location 40, which the effect does not set", DIRECT,
         "layout(location = 40) uniform vec4 u_wish;\n"},
        {"a sampler", DIRECT, "u_gain * total", "u_gain * total * texelFetch(t_wish, ivec2(0), 0)",
         "t_wish is a sampler", DIRECT, "layout(binding = 0) uniform sampler2D t_wish;\n"},
    };
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i) {
        reloading *r = reloading_open(NULL, 0);
        host_log_clear(&r->f->host);
        reloading_edit(&r->d, edits[i].file, edits[i].from, edits[i].to);
        if (edits[i].declares) {
            char *text = reloading_text(DIRECT, edits[i].from, edits[i].to), *both = NULL;
            char *at = strstr(text, "const int TILE");
            both = check_allocate(strlen(text) + 100);
            sprintf(both, "%.*s%s%s", (int)(at - text), text, edits[i].declares, at);
            folder_put(&r->d, DIRECT, both);
            free(both);
            free(text);
        }
        reloading_settle(r);
        const char *text = host_log_last(&r->f->host);
        bool right = reloading_status(r).failed == 1 && reloading_status(r).generation == 0 &&
                     reloading_factor(r) == 1 && r->f->host.message_count == 1 &&
                     strstr(text, edits[i].why) && strstr(text, "does not fit the prepared plan") &&
                     strcmp(r->f->host.messages[0].file, edits[i].place) == 0 &&
                     r->f->host.messages[0].line > 0;
        good = check_case(edits[i].name, right) && good;
        printf("        %s\n", text);
        reloading_edit(&r->d, edits[i].file, edits[i].from, edits[i].from);
        reloading_brighten(&r->d, 2); // allowed again
        reloading_settle(r);
        good = check_case("  taken back", reloading_factor(r) == 2) && good;
        reloading_close(r);
    }
    CHECK(good);
}

// A shader may have fewer uniforms and bindings: nothing missing is set, and no GL error occurs.
void test_interface_kept(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    char *text = reloading_text(DIRECT, "    store_texel(p, ",
                                "    store_texel(p, vec4(0.25, 0.5, 0.75, 1.0));\n    if (false) "
                                "store_texel(p, ");
    folder_put(&r->d, DIRECT, text);
    free(text);
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).generation, 1);
    double *got = reloading_picture(r, r->pass, &r->j);
    CHECK(got[0] == 0.25 && got[1] == 0.5 && got[2] == 0.75);
    free(got);
    // An unrelated shader, which has only the output, under another name.
    folder_put(&r->d, DIRECT,
               "#version 430 core\n#include \"common/interface.h\"\n"
               "layout(local_size_x = 16, local_size_y = 16) in;\n"
               "layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_mine;\n"
               "void main() { imageStore(i_mine, ivec2(gl_GlobalInvocationID.xy), vec4(8.0)); }\n");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).generation, 2);
    got = reloading_picture(r, r->pass, &r->j);
    CHECK(got[0] == 8 && got[3] == 8);
    free(got);
    CHECK(fixture_clean(r->f));
    CHECK(check_case("a shader that uses less of the interface", true));
    reloading_close(r);
}
