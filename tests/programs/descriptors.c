// SPDX-License-Identifier: MIT
// The visibility of foreign file descriptors in a program: descriptors MODE.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns the number of entries in /proc, without the first three and the folder's own.
static int listed(const char* path, int closes) {
  DIR* folder = opendir(path);
  int count = 0;
  for (struct dirent* each; (each = readdir(folder));) {
    int fd = atoi(each->d_name);
    if (each->d_name[0] == '.' || fd <= 2 || fd == dirfd(folder)) continue;
    ++count;
    if (closes && close(fd) != 0) printf("a listed descriptor cannot be closed\n");
  }
  closedir(folder);
  return count;
}

// Reads with a buffer for few entries, so that some calls find only hidden ones.
static void list_in_pieces(void) {
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  char buffer[32];
  int names = 0;
  for (long bytes; (bytes = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0;) {
    for (long at = 0; at < bytes; at += *(unsigned short*)(buffer + at + 16)) ++names;
  }
  close(folder);
  printf("%d names in pieces\n", names);
}

static void list(void) {
  char threads[64];
  snprintf(threads, sizeof(threads), "/proc/%d/task/%d/fd", getpid(), getpid());
  for (int fd = 3; fd < 1024; ++fd) close(fd);  // files that the caller left open
  printf("at first %d", listed("/proc/self/fd", 1));
  printf(", at last %d %d %d\n", listed("/proc/self/fd", 0), listed("/proc/self/fdinfo", 0),
         listed(threads, 0));
  list_in_pieces();
  // A different folder with the same names.
  char folder[] = "/tmp/hardmeter-descriptors-XXXXXX", name[64];
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) return;
  for (int i = 0; i < 40000; i += 100) {
    snprintf(name, sizeof(name), "%d", i);
    close(creat(name, 0600));
  }
  printf("%d files\n", listed(folder, 0));
  for (int i = 0; i < 40000; i += 100) {
    snprintf(name, sizeof(name), "%d", i);
    unlink(name);
  }
  rmdir(folder);
}

// Opens as many descriptors as the limit allows; none is open beyond.
static void fill(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int round = 0; round < 2; ++round) {
    for (int fd = 3; fd < (int)limit.rlim_cur; ++fd) close(fd);
    int files = 0, last = 0, each;
    while ((each = open("/dev/null", O_RDONLY)) >= 0) ++files, last = each;
    printf("%d files, the last is %d: %s\n", files, last, strerror(errno));
    limit.rlim_cur = limit.rlim_cur / 2;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  int found = 0;
  struct stat about;
  for (int fd = 0; fd < 70000; ++fd) found += fcntl(fd, F_GETFD) >= 0 && fstat(fd, &about) == 0;
  printf("%d are open\n", found);
}

// Puts a file at each number up to the limit.
static void replace(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  int replaced = 0;
  for (int fd = 3; fd < (int)limit.rlim_cur; ++fd) replaced += dup2(0, fd) == fd;
  printf("%d of %d replaced\n", replaced, (int)limit.rlim_cur - 3);
}

int main(int argument_count, char** arguments) {
  if (argument_count < 2) return 2;
  if (strcmp(arguments[1], "list") == 0) list();
  if (strcmp(arguments[1], "fill") == 0) fill();
  if (strcmp(arguments[1], "replace") == 0) replace();
  return 0;
}
