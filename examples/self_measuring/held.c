/* SPDX-License-Identifier: MIT
 * How much of the last-level caches a process holds: `held PID`, three times, a second apart. */
#include <hardmeter/llc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kMaxCaches = 64 };

static void show(const struct hardmeter_llc_reading* reading) {
  if (reading->occupancy_bytes == HARDMETER_LLC_NOT_MEASURED)
    printf("not measured");
  else
    printf("%" PRIu64 " bytes", reading->occupancy_bytes);
}

int main(int count, char** arguments) {
  int pid = count == 2 ? atoi(arguments[1]) : 0; /* 0: this process itself */
  struct hardmeter_llc* monitor = hardmeter_llc_open(HARDMETER_LLC_PROCESS, pid, NULL);
  if (monitor == NULL) {
    fprintf(stderr, "held: %s\n", hardmeter_error());
    return 1;
  }
  printf("measured by %s\n", hardmeter_llc_provider(monitor));
  for (int i = 0; i < 3; ++i) {
    sleep(1);
    struct hardmeter_llc_reading sum, caches[kMaxCaches];
    int found = hardmeter_llc_read(monitor, &sum, caches, kMaxCaches);
    if (found == -1) {
      fprintf(stderr, "held: %s\n", hardmeter_error());
      break;
    }
    show(&sum);
    for (int k = 0; k < found && k < kMaxCaches; ++k) {
      printf("%s cache %" PRIu32 ": ", k == 0 ? "  of which" : ",", caches[k].domain);
      show(&caches[k]);
    }
    puts("");
  }
  hardmeter_llc_close(monitor);
  return 0;
}
