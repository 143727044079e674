/* SPDX-License-Identifier: MIT
 *
 * libhardmeter: how many bytes of the last-level caches a thread, a process or a logical CPU holds.
 *
 *     struct hardmeter_llc* monitor = hardmeter_llc_open(HARDMETER_LLC_PROCESS, pid, NULL);
 *     struct hardmeter_llc_reading sum;
 *     if (hardmeter_llc_read(monitor, &sum, NULL, 0) > 0 && sum.occupancy_bytes !=
 * HARDMETER_LLC_NOT_MEASURED)
 *       ...
 *     hardmeter_llc_close(monitor);
 *
 * The processor counts (Intel RDT, AMD PQoS), through the kernel's resctrl, or, for logical CPUs where no
 * resctrl is mounted, through libpqos. Both need root.
 *
 * All of it may be called by several threads at a time. Nothing here prints, exits or throws. A failure is -1
 * (or NULL), errno, and a sentence: hardmeter_error(). C11 and C++. The names are others than those of
 * libpqos: a program may include pqos.h and link with that library, too.
 */
#ifndef HARDMETER_LLC_H
#define HARDMETER_LLC_H

#include <hardmeter/hardmeter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a figure is that could not be had; another value than any figure, 0 among them. */
#define HARDMETER_LLC_NOT_MEASURED UINT64_MAX

/* The number of no cache: all of them together. */
#define HARDMETER_LLC_ALL UINT32_MAX

enum hardmeter_llc_target {
  HARDMETER_LLC_THREAD = 0,  /* by its number, gettid(2); 0: the calling one */
  HARDMETER_LLC_PROCESS = 1, /* with all its threads; 0: the calling one */
  HARDMETER_LLC_CPU = 2      /* all that runs there */
};

/* Zeroed, or NULL in place of it: as usual. */
struct hardmeter_llc_options {
  const char*
      resctrl; /* where resctrl is mounted; NULL: where HARDMETER_RESCTRL says, else /sys/fs/resctrl */
};

struct hardmeter_llc; /* what is measured */

/* Measures from now on: lines that are in the cache already count as they are used again. What the threads
 * start later belongs to them, processes too, until it is opened itself. The same target may be opened
 * several times; that is one measurement. A forked child has opened nothing.
 *
 * What is open when the process ends, or the library is unloaded, is closed. What a killed process (SIGKILL)
 * left is removed when the next one on the machine opens something.
 *
 * NULL and errno:
 *   EINVAL   there is no such kind of target, or the number is negative
 *   ESRCH    there is no such thread, process, or CPU that is online
 *   EBUSY    it is measured already: by somebody else, which is left as it is, or as a part of what this
 *            process has opened; or all of the processor's ids are in use
 *   EAGAIN   the ids that are free still have lines in the cache: in a moment there may be one
 *   EACCES   not permitted: it takes root
 *   ENOTSUP  nothing here measures it
 *   EIO      the system failed
 *   ENOMEM   there is no memory */
struct hardmeter_llc* hardmeter_llc_open(enum hardmeter_llc_target target, int id,
                                         const struct hardmeter_llc_options* options);

/* HARDMETER_LLC_NOT_MEASURED: a figure that this processor does not have, or could not tell now. */
struct hardmeter_llc_reading {
  uint32_t domain;      /* the cache's number; HARDMETER_LLC_ALL: all of them */
  uint64_t cache_bytes; /* how large it is; 0: not known */
  uint64_t occupancy_bytes;
  uint64_t total_bytes; /* through the memory bus, since some moment that stays ... */
  uint64_t local_bytes; /* ... and of these, from and to this socket's own memory */
};

/* *sum, where it is not NULL, is of all caches; not measured where one of them was not. The first `room`
 * caches go to domains[]. How many there are; or -1:
 *   EINVAL   there is no such monitor
 *   ENODATA  somebody else has ended the measurement: close it, and open it again
 *   ENOMEM   there is no memory
 * Of a process that has ended, what its lines still hold. */
int hardmeter_llc_read(struct hardmeter_llc* monitor, struct hardmeter_llc_reading* sum,
                       struct hardmeter_llc_reading* domains, size_t room);

/* Who measures: "resctrl", "libpqos". As long as it is open; NULL and EINVAL where there is no such monitor.
 */
const char* hardmeter_llc_provider(const struct hardmeter_llc* monitor);

/* NULL is nothing. */
void hardmeter_llc_close(struct hardmeter_llc* monitor);

/* The same by the names that Intel proposed ("Intel's Cache Monitoring Technology: Software Support and
 * Tools", 2014), for what is called by number only. As perf_event_open(2) has it:
 *
 *   taskid   a process, with all its threads; or a thread that is not its process's first; 0: the calling
 *            thread; -1: whatever runs on `cpu`
 *   cpu      what it holds in the cache that this CPU is at; -1: in all caches, which goes with a task only
 *
 * Where resctrl is mounted, HARDMETER_RESCTRL says. */

/* 0; or -1 and errno as hardmeter_llc_open; EBUSY also where the two are registered already. */
int pqos_register_cmt(pid_t taskid, int cpu);

/* Bytes; or -1:
 *   ENOENT   the two are not registered
 *   ENODATA  it could not be measured now */
int64_t pqos_get_cmt_occupancy(pid_t taskid, int cpu);

/* 0; or -1 and ENOENT where the two are not registered. */
int pqos_unregister_cmt(pid_t taskid, int cpu);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
