/* SPDX-License-Identifier: MIT
 * What hardmeter_start and hardmeter_stop take, around nothing: the medians of 201 of each, in microseconds.
 */
#include <hardmeter/hardmeter.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kTimes = 201 };

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int compare(const void* a, const void* b) {
  double difference = *(const double*)a - *(const double*)b;
  return (difference > 0) - (difference < 0);
}

int main(void) {
  static double start_us[kTimes], stop_us[kTimes];
  for (int i = 0; i < kTimes; ++i) {
    double before = now_us();
    if (hardmeter_start("cost") != 0) {
      fprintf(stderr, "%s\n", hardmeter_error());
      return 1;
    }
    double between = now_us();
    if (hardmeter_stop() != 0) {
      fprintf(stderr, "%s\n", hardmeter_error());
      return 1;
    }
    start_us[i] = between - before;
    stop_us[i] = now_us() - between;
  }
  qsort(start_us, kTimes, sizeof(*start_us), compare);
  qsort(stop_us, kTimes, sizeof(*stop_us), compare);
  printf("%.1f %.1f\n", start_us[kTimes / 2], stop_us[kTimes / 2]);
  return 0;
}
