// cli/cmd_new.c - `afterglow new`: a folder with a pass to start from
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "effect.h"
#include "file.h"
#include "report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const command command_new = {
    .name = "new",
    .usage = "FOLDER",
    .help = "makes a folder with a pass of your own to start from",
    .notes = "afterglow new vignette; then edit vignette/pass.comp while this runs:\n"
             "afterglow run ./vignette in.png -o out.png --watch\n",
    .run = new_command,
};

static const char before_name[] =
    "// %s/pass.comp - darkens the corners: a start for a pass of your own\n"
    "//\n"
    "//! pass     %s \"darkens the corners\"\n";
static const char after_name[] =
    "//! slot     src read colour \"the image\"\n"
    "//! slot     dst write colour \"the same, with dark corners\"\n"
    "//! setting  strength float 0.5 0..1 \"0: as it was, 1: black in the corners\"\n"
    "//! step     darken src -> dst\n"
    "#include \"pass.glsl\"\n"
    "\n"
    "void main()\n"
    "{\n"
    "    vec2 size = vec2(size_of(src));\n"
    "    vec2 from = vec2(this_texel) + 0.5 - 0.5 * size; // the centre\n"
    "    float radius = length(from) / length(0.5 * size); // 1 in the corners\n"
    "    vec4 c = load(src, this_texel);\n"
    "    c.rgb *= 1.0 - setting_strength * radius * radius;\n"
    "    store(dst, this_texel, c);\n"
    "}\n";

// The last name of the path; NULL if a pass cannot be called so.
static const char *name_of(const char *folder)
{
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    size_t length = strlen(name);
    bool good = length && length < 24 && islower((unsigned char)*name) && name[length - 1] != '_';
    for (size_t i = 0; i < length; i++)
        good = good && (islower((unsigned char)name[i]) || isdigit((unsigned char)name[i]) ||
                        (name[i] == '_' && name[i - 1] != '_'));
    return good ? name : NULL;
}

static int write_pass(const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/pass.comp", folder);
    if (length < 0 || length >= (int)sizeof path)
        return fail(STATUS_USAGE, "%s: the path is too long", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(STATUS_USAGE, "%s: the folder cannot be made: %s", folder, strerror(errno));
    FILE *file = fopen(path, "wx"); // replaces nothing
    if (!file)
        return fail(STATUS_USAGE, "%s: %s", path, strerror(errno));
    bool written = fprintf(file, before_name, name, name) > 0 && fputs(after_name, file) >= 0;
    if (fclose(file) != 0 || !written)
        return fail(STATUS_FAILED, "%s cannot be written", path);
    printf("%s is written. Try: afterglow run %s%s IMAGE -o OUTPUT\n", path,
           strchr(folder, '/') ? "" : "./", folder);
    return STATUS_OK;
}

int new_command(int argc, char **argv)
{
    const char *folder = NULL;
    option_reader reader = option_begin(&command_new, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        if (which != OPTION_INPUT)
            return STATUS_USAGE;
        if (folder)
            return fail(STATUS_USAGE, "new takes one folder");
        folder = reader.value;
    }
    if (!folder)
        return fail(STATUS_USAGE, "new needs a folder: afterglow new %s", command_new.usage);
    const ag_api *api = effect_api();
    uint32_t count = 0;
    const ag_effect_info *const *effects = api ? api->effects(&count) : NULL;
    const char *name = name_of(folder);
    if (!name)
        return fail(STATUS_USAGE,
                    "%s: expected a name of a-z, 0-9 and single _, at most 23 "
                    "characters",
                    folder);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(effects[i]->id, name) == 0)
            return fail(STATUS_USAGE, "%s: there is an effect of this name", folder);
    return write_pass(folder, name);
}
