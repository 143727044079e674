/* SPDX-License-Identifier: MIT
 * A program that measures a part of itself: walks through 64 KiB before, 8 MiB in the region "load", 64 KiB
 * behind. region [RESOURCE] [TIMES]: 0; 1 where start or stop failed, with the sentence. */
#include <hardmeter/hardmeter.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;

/* Alike, but to be told apart. */
__attribute__((noipa)) static void before(const long* data, size_t longs) {
  for (size_t i = 0; i < longs; i += 8) sink += data[i];
}
__attribute__((noipa)) static void inside(const long* data, size_t longs) {
  for (size_t i = 0; i < longs; i += 8) sink += data[i];
}
__attribute__((noipa)) static void behind(const long* data, size_t longs) {
  for (size_t i = 0; i < longs; i += 8) sink += data[i];
}

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, hardmeter_error());
  return 1;
}

int main(int argc, char** argv) {
  const char* resource = argc > 1 ? argv[1] : "load";
  long times = argc > 2 ? atol(argv[2]) : 1;
  size_t longs = 1 << 20;
  long* data = calloc(longs, sizeof(*data));
  if (data == NULL) return 2;
  for (size_t i = 0; i < longs; i += 512) data[i] = 1;
  before(data, longs);
  for (long i = 0; i < times; ++i) {
    if (hardmeter_start(resource) != 0) return failed("hardmeter_start");
    inside(data, longs);
    if (hardmeter_stop() != 0) return failed("hardmeter_stop");
  }
  behind(data, longs);
  free(data);
  return 0;
}
