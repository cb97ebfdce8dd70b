// fuzz_driver_log.c - a driver's log of any text is explained with the lines of a source
// SPDX-License-Identifier: MIT
#include "fuzz.h"
#include "shader/embedded.h"
#include "shader/source.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ag_host host = {.struct_size = sizeof host};
    static ag_source source;
    ag_source_root root = {&host, NULL, AG_ORIGIN_BUILT_IN, false};
    if (!source.text.data && ag_source_expand(&root, "fft/columns.comp", "#version 430 core\n",
                                              "#define D 1\n", &source) != AG_OK)
        abort();
    char *log = malloc(size + 1);
    if (!log)
        abort();
    memcpy(log, data, size);
    log[size] = '\0';
    ag_text text = {.host = &host};
    ag_message first = {.struct_size = sizeof first};
    ag_source_explain(&source, log, &text, &first);
    FUZZ_CHECK(!text.failed);
    // The raw log follows what was explained of it, but for spaces and line ends behind its last
    // word.
    size_t length = strlen(log);
    while (length && (log[length - 1] == ' ' || log[length - 1] == '\n'))
        length--;
    FUZZ_CHECK(text.length >= length && memcmp(text.data + text.length - length, log, length) == 0);
    if (first.file) {
        FUZZ_CHECK(strlen(first.file) < AG_WATCH_PATH);
        FUZZ_CHECK(first.line >= 1 && first.column >= 1);
    }
    ag_text_free(&text);
    free(log);
    return 0;
}
