/* SPDX-License-Identifier: MIT
 * The C API as a C program uses it. `api_test FOLDER` writes its files there; 0, 77 where there are no perf
 * events, or 1 with a line for each thing that was not as expected. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <hardmeter/hardmeter.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static const char* folder;

static void write_rc(const char* text) {
  char path[512];
  snprintf(path, sizeof path, "%s/rc", folder);
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  setenv("HARDMETERRC", path, 1);
}

/* NAME samples the clock every 100 us into FOLDER/FILE. Of so many only a few are asked for: a hypervisor may
 * take the processor away for long. */
static void write_clock_rc(const char* name, const char* file) {
  char text[1024];
  snprintf(text, sizeof text, "%s.user 1\n%s.event clock\n%s.interval 100000\n%s.dumpfile %s/%s\n", name,
           name, name, name, folder, file);
  write_rc(text);
}

static int open_files(void) {
  DIR* files = opendir("/proc/self/fd");
  int count = 0;
  while (readdir(files) != NULL) ++count;
  closedir(files);
  return count;
}

/* Samples in a dump; -1 where the header tells another number. */
static long samples_in(const char* name) {
  char path[512], line[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "r");
  if (file == NULL) return -2;
  long count = 0, told = -1;
  while (fgets(line, sizeof line, file) != NULL) {
    count += line[0] != '#';
    sscanf(line, "# samples collected: %ld", &told);
  }
  fclose(file);
  return count == told ? count : -1;
}

static void burn(int milliseconds) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  long end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + milliseconds;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    for (volatile int i = 0; i < 10000; ++i) continue;
  } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end);
}

static void bad_input_is_refused(void) {
  EXPECT_FAILURE(hardmeter_stop(), EINVAL, "nothing to stop");
  EXPECT_FAILURE(hardmeter_start(NULL), EINVAL, "needs a name");
  setenv("HARDMETERRC", "/no/such/file", 1);
  EXPECT_FAILURE(hardmeter_start("load"), ENOENT, "cannot read the resource file /no/such/file");
  setenv("HARDMETERRC", "/", 1);
  EXPECT_FAILURE(hardmeter_start("load"), ENOENT, "cannot read the resource file /");
  write_rc("other.user 1\n");
  EXPECT_FAILURE(hardmeter_start("load"), ENOENT, "has no resource 'load'");
  EXPECT_FAILURE(hardmeter_start("a.b"), EINVAL, "'a.b' is not a resource name");
  write_rc("load.user 1\nload.event no_such_event\nload.dumpfile d\n");
  EXPECT_FAILURE(hardmeter_start("load"), EINVAL, "line 2: ");
  write_rc("load.user 1\nload.user 1\n");
  EXPECT_FAILURE(hardmeter_start("load"), EINVAL, "line 2: load.user is given twice");
  write_rc("load.user 1\nload.event clock\nload.dumpfile /no/such/folder/dump\n");
  EXPECT_FAILURE(hardmeter_start("load"), EIO, "cannot create /no/such/folder/dump");
  EXPECT_FAILURE(hardmeter_stop(), EINVAL, "nothing to stop");
  unsetenv("HARDMETERRC");
  setenv("HOME", folder, 1);
  EXPECT_FAILURE(hardmeter_start("load"), ENOENT, "/.hardmeterrc");
}

/* Whether a line of the dump begins so. */
static int has_line(const char* name, const char* beginning) {
  char path[512], line[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "r");
  int found = 0;
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
    found = strncmp(line, beginning, strlen(beginning)) == 0;
  if (file != NULL) fclose(file);
  return found;
}

static void a_region_is_sampled(void) {
  write_clock_rc("load", "dump");
  EXPECT(hardmeter_start("load") == 0);
  EXPECT_FAILURE(hardmeter_start("load"), EBUSY, "started 'load' already");
  burn(200);
  EXPECT(hardmeter_stop() == 0);
  EXPECT(samples_in("dump") > 10);
  EXPECT_FAILURE(hardmeter_stop(), EINVAL, "nothing to stop");
}

static void the_file_is_read_at_each_start(void) {
  write_clock_rc("load", "other");
  EXPECT(hardmeter_start("load") == 0);
  EXPECT(hardmeter_stop() == 0);
  EXPECT(samples_in("other") >= 0);
}

static void regions_nest(void) {
  char text[1024];
  snprintf(text, sizeof text,
           "a.user 1\na.event clock\na.interval 100000\na.dumpfile %s/a\n"
           "b.user 1\nb.event clock\nb.interval 100000\nb.dumpfile %s/b\nb.count 3\n",
           folder, folder);
  write_rc(text);
  EXPECT(hardmeter_start("a") == 0);
  EXPECT(hardmeter_start("b") == 0);
  burn(60);
  EXPECT(hardmeter_stop() == 0); /* b */
  EXPECT(samples_in("b") == 3);
  EXPECT(samples_in("a") == -1); /* not finished */
  burn(60);
  EXPECT(hardmeter_stop() == 0);
  EXPECT(samples_in("a") > 10);
}

/* Names of kernel functions are looked up in the mapping of the kernel's code. */
static void kernel_samples_can_be_named(void) {
  if (geteuid() != 0) return; /* others may not know where the kernel's code is */
  char text[1024];
  snprintf(text, sizeof text,
           "load.kernel 1\nload.event clock\nload.interval 100000\nload.dumpfile %s/kernel\n", folder);
  write_rc(text);
  EXPECT(hardmeter_start("load") == 0);
  for (int i = 0; i < 200; ++i) fclose(fopen("/proc/self/maps", "r"));
  EXPECT(hardmeter_stop() == 0);
  EXPECT(has_line("kernel", "# sample type: kernel"));
  EXPECT(has_line("kernel", "# mapping: 4294967295 ffffffff"));
}

static void a_dump_that_stopped_at_its_count_says_so(void) {
  EXPECT(has_line("a", "# extent: all"));
  EXPECT(has_line("b", "# extent: stopped at 3 samples: about "));
}

static void* region_of_a_thread(void* barrier) {
  int started = hardmeter_start("load") == 0;
  pthread_barrier_wait(barrier);
  burn(60);
  pthread_barrier_wait(barrier);
  return started && hardmeter_stop() == 0 ? barrier : NULL;
}

static void threads_have_regions_of_their_own(void) {
  enum { kThreads = 3 };
  pthread_t threads[kThreads];
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, kThreads);
  write_clock_rc("load", "threads");
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, region_of_a_thread, &barrier);
  for (int i = 0; i < kThreads; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    EXPECT(result != NULL);
  }
  EXPECT(samples_in("threads") > 10);
  EXPECT(samples_in("threads.2") > 10);
  EXPECT(samples_in("threads.3") > 10);
}

static void* leaves_its_region_open(void* unused) {
  (void)unused;
  if (hardmeter_start("load") == 0) burn(50);
  return NULL;
}

static void a_thread_that_ends_stops(void) {
  pthread_t thread;
  write_clock_rc("load", "ended");
  pthread_create(&thread, NULL, leaves_its_region_open, NULL);
  pthread_join(thread, NULL);
  EXPECT(samples_in("ended") > 10);
}

static void a_forked_child_has_started_nothing(void) {
  write_clock_rc("load", "forked");
  EXPECT(hardmeter_start("load") == 0);
  pid_t child = fork();
  if (child == 0) {
    int files = open_files();
    int refused = hardmeter_stop() == -1 && errno == EINVAL;
    write_clock_rc("load", "child");
    int works = hardmeter_start("load") == 0;
    burn(30);
    works = works && hardmeter_stop() == 0 && samples_in("child") > 5;
    _exit(refused && works && open_files() == files ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  burn(50);
  EXPECT(hardmeter_stop() == 0);
  EXPECT(samples_in("forked") > 10);
}

static void no_file_stays_open(void) {
  struct rlimit before, few;
  getrlimit(RLIMIT_NOFILE, &before);
  few = before;
  few.rlim_cur = 20;
  setrlimit(RLIMIT_NOFILE, &few);
  int files = open_files();
  for (int i = 0; i < 50; ++i) {
    write_clock_rc("load", "again");
    EXPECT(hardmeter_start("load") == 0);
    EXPECT(hardmeter_stop() == 0);
    write_rc("load.user 1\nload.event clock\nload.dumpfile /no/such/folder/dump\n");
    EXPECT(hardmeter_start("load") == -1);
    struct hardmeter_options options = {.user = 1, .interval = 1000000};
    struct hardmeter_counter* counter =
        hardmeter_open(hardmeter_find_template("clock"), HARDMETER_SELF, 0, &options);
    EXPECT(counter != NULL);
    hardmeter_close(counter);
  }
  EXPECT(open_files() == files);
  setrlimit(RLIMIT_NOFILE, &before);
}

static void templates_are_listed(void) {
  size_t count = 0;
  const struct hardmeter_template* all = hardmeter_templates(&count);
  EXPECT(all != NULL && count > 25);
  size_t headings = 0, events = 0;
  for (size_t i = 0; i < count; ++i) {
    EXPECT(all[i].name != NULL);
    headings += all[i].description == NULL;
    events += all[i].description != NULL;
    if (all[i].description != NULL) EXPECT(hardmeter_find_template(all[i].name) == &all[i]);
  }
  EXPECT(headings >= 5 && events >= 25);
  EXPECT(all[0].description == NULL);
  const struct hardmeter_template* clock = hardmeter_find_template("clock");
  EXPECT(clock != NULL && clock->control != NULL && clock->eventmask != NULL && !clock->is_pebs);
  EXPECT(hardmeter_find_template("l1_cache_miss")->is_pebs);
  EXPECT(hardmeter_find_template("scalar_dp_retired") == hardmeter_find_template("scaler_dp_retired"));
  errno = 0;
  EXPECT(hardmeter_find_template("nothing") == NULL && errno == ENOENT);
  EXPECT(hardmeter_find_template(NULL) == NULL);
}

static void a_counter_counts_and_samples(void) {
  const struct hardmeter_template* clock = hardmeter_find_template("clock");
  struct hardmeter_options options = {.user = 1, .interval = 100000};
  struct hardmeter_counter* counter = hardmeter_open(clock, HARDMETER_SELF, 0, &options);
  EXPECT(counter != NULL);
  struct hardmeter_count count;
  EXPECT(hardmeter_read(counter, &count) == 0 && count.value == 0);
  burn(20);
  EXPECT(hardmeter_enable(counter) == 0);
  burn(100);
  EXPECT(hardmeter_disable(counter) == 0);
  burn(20);
  EXPECT(hardmeter_read(counter, &count) == 0);
  EXPECT(count.value > 90000000 && count.time_running_ns == count.time_enabled_ns);
  struct hardmeter_sample sample;
  uint64_t before_ns = 0, lost = 1;
  int samples = 0, next;
  while ((next = hardmeter_next_sample(counter, &sample, &lost)) == 1) {
    ++samples;
    EXPECT(sample.tid == (uint32_t)gettid() && sample.pid == (uint32_t)getpid());
    EXPECT(sample.time_ns >= before_ns && sample.ip != 0);
    EXPECT(sample.has_registers && sample.registers[7] != 0);
    before_ns = sample.time_ns;
  }
  EXPECT(next == 0 && samples > 50 && lost == 0);
  hardmeter_close(counter);
  hardmeter_close(NULL);
}

static void targets_are_chosen(void) {
  const struct hardmeter_template* clock = hardmeter_find_template("clock");
  struct hardmeter_options options = {.user = 1};
  pid_t child = fork();
  if (child == 0) {
    for (;;) burn(1000);
  }
  const enum hardmeter_target targets[] = {HARDMETER_THREAD, HARDMETER_PROCESS};
  for (int i = 0; i < 2; ++i) {
    struct hardmeter_counter* counter = hardmeter_open(clock, targets[i], child, &options);
    EXPECT(counter != NULL && hardmeter_enable(counter) == 0);
    struct hardmeter_count count = {0, 0, 0};
    for (int looks = 0; looks < 10000 && count.value < 1000000; ++looks) {
      usleep(10000);
      if (hardmeter_read(counter, &count) != 0) break;
    }
    EXPECT(count.value >= 1000000);
    struct hardmeter_sample sample;
    EXPECT(hardmeter_next_sample(counter, &sample, NULL) == 0); /* it only counts */
    hardmeter_close(counter);
  }
  kill(child, 9);
  waitpid(child, NULL, 0);
  if (getuid() == 0) {
    struct hardmeter_counter* counter = hardmeter_open(clock, HARDMETER_CPU, 0, &options);
    EXPECT(counter != NULL);
    hardmeter_close(counter);
  }
  errno = 0;
  EXPECT(hardmeter_open(clock, HARDMETER_PROCESS, child, &options) == NULL && errno == ESRCH);
  EXPECT(strstr(hardmeter_error(), "does not exist") != NULL);
  errno = 0;
  EXPECT(hardmeter_open(clock, HARDMETER_THREAD, child, &options) == NULL && errno == ESRCH);
  errno = 0;
  EXPECT(hardmeter_open(clock, HARDMETER_CPU, 4000, &options) == NULL && errno == ESRCH);
}

static void what_is_no_counter_is_refused(void) {
  struct hardmeter_options none = {0};
  errno = 0;
  EXPECT(hardmeter_open(hardmeter_find_template("clock"), HARDMETER_SELF, 0, &none) == NULL &&
         errno == EINVAL);
  EXPECT(hardmeter_open(NULL, HARDMETER_SELF, 0, &none) == NULL);
  EXPECT(hardmeter_open(hardmeter_templates(NULL), HARDMETER_SELF, 0, &none) == NULL); /* a heading */
  EXPECT_FAILURE(hardmeter_enable(NULL), EINVAL, "NULL");
  EXPECT_FAILURE(hardmeter_disable(NULL), EINVAL, "NULL");
  EXPECT_FAILURE(hardmeter_read(NULL, NULL), EINVAL, "NULL");
  EXPECT_FAILURE(hardmeter_next_sample(NULL, NULL, NULL), EINVAL, "NULL");
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  folder = argv[1];
  templates_are_listed();
  bad_input_is_refused();
  what_is_no_counter_is_refused();
  struct hardmeter_options options = {.user = 1};
  struct hardmeter_counter* counter =
      hardmeter_open(hardmeter_find_template("clock"), HARDMETER_SELF, 0, &options);
  if (counter == NULL && failures == 0) {
    printf("SKIPPED: there are no perf events here: %s\n", hardmeter_error());
    return 77;
  }
  hardmeter_close(counter);
  a_region_is_sampled();
  the_file_is_read_at_each_start();
  regions_nest();
  a_dump_that_stopped_at_its_count_says_so();
  kernel_samples_can_be_named();
  threads_have_regions_of_their_own();
  a_thread_that_ends_stops();
  a_forked_child_has_started_nothing();
  no_file_stays_open();
  a_counter_counts_and_samples();
  targets_are_chosen();
  if (failures == 0) printf("all as expected\n");
  return failures != 0;
}
