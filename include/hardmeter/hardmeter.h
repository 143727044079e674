/* SPDX-License-Identifier: MIT
 *
 * libhardmeter: a program measures a part of itself.
 *
 *     hardmeter_start("load");
 *     ...
 *     hardmeter_stop();
 *
 * What "load" means is in $HOME/.hardmeterrc (or the file that HARDMETERRC names), which is read at each
 * start: what is measured changes without a rebuild. See hardmeterrc(5).
 *
 *     load.user 1
 *     load.event l1_cache_miss
 *     load.dumpfile /tmp/load.%P
 *
 * Started by `hardmeter record` or `hardmeter run` on the software PMU, the program's resource file is not
 * read: the command says what to measure, and the parts between start and stop are what it measures.
 *
 * Nothing here prints, exits or throws. A failure is -1 (or NULL), errno, and a sentence. C11 and C++.
 */
#ifndef HARDMETER_HARDMETER_H
#define HARDMETER_HARDMETER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins to sample the calling thread as the resource says. Starts nest: each thread stops what it started
 * last. A resource may be started by several threads at the same time, each of which writes a dump of its
 * own; a second dump of the same file name gets ".2" behind it, and so on. Not async-signal-safe.
 *
 * 0; or -1, and nothing has begun:
 *   EINVAL   the resource file is wrong: an unknown parameter, event or number, a repeated or missing line
 *   ENOENT   there is no resource file, or no such resource in it
 *   EBUSY    this thread has started the resource already
 *   EACCES   the resource file, the dump file or the event is not permitted
 *   ENOTSUP  this machine cannot deliver the event
 *   EIO      the dump file cannot be written
 *   ENOMEM   there is no memory */
int hardmeter_start(const char* resource_name);

/* Ends what the calling thread has started last, and writes its dump.
 *
 * 0; or -1:
 *   EINVAL   the thread has started nothing
 *   EIO      the dump could not be written; what was written stays */
int hardmeter_stop(void);

/* Why the calling thread's last call failed: one sentence; "" where none has failed. Valid until the thread's
 * next call. */
const char* hardmeter_error(void);

/* Finer control: an event is chosen from the templates, opened, enabled, disabled, read, and closed. Of the
 * kernel's PMU alone: in a program that the software PMU runs, hardmeter_open fails with ENOTSUP. */

/* To be read only. An entry with a name and nothing else is a heading for a printed list. */
struct hardmeter_template {
  const char* name;
  const char* description; /* NULL: a heading */
  const char* control;     /* what the PMU is programmed with: the PMU ... */
  const char*
      eventmask; /* ... and the event, as perf writes it; both NULL where this machine cannot count it */
  int is_pebs;   /* not 0: precise, a sample names the very instruction */
};

/* All of them, and how many; NULL and *count 0 where there is no memory. */
const struct hardmeter_template* hardmeter_templates(size_t* count);
/* By its name; NULL and ENOENT where there is none. */
const struct hardmeter_template* hardmeter_find_template(const char* name);

enum hardmeter_target {
  HARDMETER_SELF = 0,    /* the calling thread; `id` is not looked at */
  HARDMETER_THREAD = 1,  /* by its number, gettid(2) */
  HARDMETER_PROCESS = 2, /* all its threads, and those it makes later, and its children */
  HARDMETER_CPU = 3      /* all that runs there */
};

/* Zeroed, it counts nothing: set one of user and kernel. */
struct hardmeter_options {
  int user;          /* not 0: user mode */
  int kernel;        /* not 0: kernel mode */
  uint64_t interval; /* events per sample, of the clock nanoseconds; 0: count only */
  size_t buffer;     /* room for about so many samples of each CPU; 0: 2000 */
};

struct hardmeter_counter; /* one event on its target; for one thread at a time */

/* Disabled at first. NULL and errno as hardmeter_start; ESRCH: there is no such thread, process or CPU. A
 * forked child must not use it. */
struct hardmeter_counter* hardmeter_open(const struct hardmeter_template* event, enum hardmeter_target target,
                                         int id, const struct hardmeter_options* options);
int hardmeter_enable(struct hardmeter_counter* counter);
int hardmeter_disable(struct hardmeter_counter* counter);

/* What was counted while enabled. It ran only part of that time where more events were open than the PMU has
 * counters: value * time_enabled_ns / time_running_ns is the estimate then. Of a process, the sums of its
 * threads. */
struct hardmeter_count {
  uint64_t value; /* of the clock, nanoseconds */
  uint64_t time_enabled_ns;
  uint64_t time_running_ns;
};
int hardmeter_read(struct hardmeter_counter* counter, struct hardmeter_count* count);

/* The thread's state when the event happened. */
struct hardmeter_sample {
  uint64_t time_ns; /* by perf's clock */
  uint32_t pid;
  uint32_t tid;
  uint64_t ip;
  int has_registers; /* 0: the PMU gave none */
  uint64_t rflags;
  uint64_t registers[16]; /* rax rbx rcx rdx rsi rdi rbp rsp r8 ... r15 */
};
/* The next one, oldest first. 1; 0 where there is none now; -1. Samples that did not fit the buffer are lost,
 * and *lost, if it is not NULL, is how many the kernel has told of so far: of a full buffer it tells when
 * there is room again. */
int hardmeter_next_sample(struct hardmeter_counter* counter, struct hardmeter_sample* sample, uint64_t* lost);

/* NULL is nothing. */
void hardmeter_close(struct hardmeter_counter* counter);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
