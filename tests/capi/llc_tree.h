/* SPDX-License-Identifier: MIT
 * The resctrl tree that llc_test.c measures on: resctrl_filesystem's (tests/rdt). */
#ifndef HM_TESTS_CAPI_LLC_TREE_H
#define HM_TESTS_CAPI_LLC_TREE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static const char* root;        /* where it is mounted */
static const char* values_file; /* what its counters hold (tests/rdt/filesystem/counters.h) */

static void set_values(const char* lines) {
  static int versions;
  char path[512];
  snprintf(path, sizeof path, "%s.new", values_file);
  FILE* file = fopen(path, "w");
  /* Each version has another size: the file server sees that it is another one. */
  fprintf(file, "%s%*s\n", lines, ++versions, "");
  fclose(file);
  rename(path, values_file);
}

/* How many monitor groups there are; the name of one of them. */
static int groups(char name[256]) {
  char path[512];
  snprintf(path, sizeof path, "%s/mon_groups", root);
  DIR* folder = opendir(path);
  int count = 0;
  for (struct dirent* each; folder != NULL && (each = readdir(folder)) != NULL;) {
    if (each->d_name[0] == '.') continue;
    if (name != NULL) snprintf(name, 256, "%s", each->d_name);
    ++count;
  }
  if (folder != NULL) closedir(folder);
  return count;
}

static int has_thread(const char* group, pid_t thread) {
  char path[1024], line[64];
  snprintf(path, sizeof path, "%s/mon_groups/%s/tasks", root, group);
  FILE* file = fopen(path, "r");
  int found = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) found |= atoi(line) == thread;
  if (file != NULL) fclose(file);
  return found;
}

static void make_group(const char* group) {
  char path[512];
  snprintf(path, sizeof path, "%s/mon_groups/%s", root, group);
  mkdir(path, 0755);
}

static void remove_group(const char* group) {
  char path[512];
  snprintf(path, sizeof path, "%s/mon_groups/%s", root, group);
  rmdir(path);
}

static void put_into_group(const char* group, pid_t thread) {
  char path[512], text[32];
  snprintf(path, sizeof path, "%s/mon_groups/%s/tasks", root, group);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  int bytes = snprintf(text, sizeof text, "%d\n", (int)thread);
  if (write(file, text, (size_t)bytes) != bytes) perror(path);
  close(file);
}

#endif
