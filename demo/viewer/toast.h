// viewer/toast.h - the last message of report.h, for the panel
// SPDX-License-Identifier: MIT
#ifndef VIEWER_TOAST_H
#define VIEWER_TOAST_H

// The text, and how many messages there were so far.
const char *toast_last(unsigned long *number);

#endif
