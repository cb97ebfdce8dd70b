// dispatches.h - writes the dispatches that passes record, with what they declare and their shaders
// SPDX-License-Identifier: MIT
//
// FOLDER/NUMBER.comp are the shaders as the driver gets them, each text once. FOLDER/dispatches.txt
// has a line for each dispatch:
//
//        NUMBER EFFECT JOB PATH i0=r@1:0 i1=w@2:0 b1=rw@20:0 b5=a@21:0 ...
//
// Of each binding of an image (i), a texture (t), a block (b) and of the groups in a buffer (g)
// follows what is declared: that it is read (r), written (w), added to (a); or nothing, where it is
// only bound. c: constants, which have no barriers. !: a slot that is written, and that the
// effect's description does not have as written. Then the number of the memory, and where in it.
//
// A program that calls this is linked with -Wl,--wrap=ag_frame_record: then the recorder needs no
// hook for it.
#ifndef AG_TEST_DISPATCHES_H
#define AG_TEST_DISPATCHES_H

#include "gltrace.h"

// `on_text` NULL: none; of each new text.
void dispatches_begin(gl_trace *trace, const char *folder,
                      void (*on_text)(void *user, const char *text), void *user);
void dispatches_job(void);       // the next job
uint32_t dispatches_texts(void); // that were written so far
void dispatches_end(gl_trace *trace);

#endif
