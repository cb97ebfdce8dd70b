// log.c - messages to the host
// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void ag_log(const ag_host *host, ag_message message)
{
    message.struct_size = sizeof message;
    if (host->log)
        host->log(host->user, &message);
}

ag_status ag_fail(const ag_host *host, ag_status code, const char *format, ...)
{
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ag_log(host, (ag_message){.level = AG_LOG_ERROR, .code = code, .text = text});
    return code;
}

void ag_say(const ag_host *host, int32_t level, const char *format, ...)
{
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ag_log(host, (ag_message){.level = level, .code = AG_OK, .text = text});
}
