// sat_ladder_files.c - the shaders of the source tree, for tests that change one or take it apart
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // opendir
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat_ladder.h"

char *shader_text(const char *path)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder_find(AG_SHADER_SOURCE_DIR), path);
    FILE *in = fopen(full, "rb");
    CHECK_F(in && !fseek(in, 0, SEEK_END), "%s", full);
    size_t length = (size_t)ftell(in);
    char *text = check_allocate(length + 1);
    rewind(in);
    CHECK(fread(text, 1, length, in) == length);
    fclose(in);
    text[length] = '\0';
    return text;
}

folder shader_folder(const char *const *names, const char *edited, const char *from, const char *to)
{
    folder d = folder_create();
    for (; *names; ++names) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder_find(AG_SHADER_SOURCE_DIR), *names);
        DIR *dir = opendir(path);
        CHECK_F(dir != NULL, "%s", path);
        for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
            const char *dot = strrchr(entry->d_name, '.');
            if (!dot || (strcmp(dot, ".comp") && strcmp(dot, ".glsl") && strcmp(dot, ".h")))
                continue;
            snprintf(path, sizeof path, "%s/%s", *names, entry->d_name);
            char *text = shader_text(path);
            folder_put(&d, path, text);
            free(text);
        }
        closedir(dir);
    }
    char *text = shader_text(edited), *at = strstr(text, from);
    CHECK_F(at != NULL, "%s has no \"%s\"", edited, from);
    char *changed = check_allocate(strlen(text) + strlen(to) + 1);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    folder_put(&d, edited, changed);
    free(changed);
    free(text);
    return d;
}
