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

static void print(const ag_host *host, ag_message message, const char *format, va_list values)
{
    char text[768];
    vsnprintf(text, sizeof text, format, values);
    message.text = text;
    ag_log(host, message);
}

ag_status ag_fail(const ag_host *host, ag_status code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(host, (ag_message){.level = AG_LOG_ERROR, .code = code}, format, values);
    va_end(values);
    return code;
}

void ag_say(const ag_host *host, int32_t level, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(host, (ag_message){.level = level, .code = AG_OK}, format, values);
    va_end(values);
}
