/* SPDX-License-Identifier: MIT
 * The last-level cache's occupancy as a C program asks for it. `llc_test ROOT VALUES`: on resctrl_filesystem,
 * which is mounted at ROOT with 16 ids and two caches, and nobody else uses (llc.sh). */
#define _GNU_SOURCE
#include <hardmeter/llc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "expect.h"
#include "llc_tree.h"

#define EXPECT_NULL(call, number, words)                \
  do {                                                  \
    errno = 0;                                          \
    EXPECT((call) == NULL);                             \
    EXPECT(errno == (number));                          \
    EXPECT(strstr(hardmeter_error(), (words)) != NULL); \
  } while (0)

static struct hardmeter_llc* open_process(pid_t pid) {
  return hardmeter_llc_open(HARDMETER_LLC_PROCESS, pid, NULL);
}

static pid_t start_sleeper(void) {
  pid_t child = fork();
  if (child != 0) return child;
  for (;;) pause();
}

static void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

static void bad_input_is_refused(void) {
  EXPECT_NULL(hardmeter_llc_open((enum hardmeter_llc_target)7, 1, NULL), EINVAL, "target 7 does not exist");
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_THREAD, -1, NULL), EINVAL, "number -1");
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_THREAD, 0x7fffffff, NULL), ESRCH,
              "thread 2147483647 does not exist");
  EXPECT_NULL(open_process(0x7fffffff), ESRCH, "process 2147483647 does not exist");
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_CPU, 100000, NULL), ESRCH, "CPU 100000");
  EXPECT_FAILURE(hardmeter_llc_read(NULL, NULL, NULL, 0), EINVAL, "unknown monitor");
  EXPECT_NULL(hardmeter_llc_provider(NULL), EINVAL, "unknown monitor");
  hardmeter_llc_close(NULL);
  EXPECT_FAILURE(pqos_register_cmt(-1, -1), EINVAL, "neither a task nor a CPU");
  EXPECT_FAILURE(pqos_register_cmt(-2, 0), EINVAL, "neither a task nor a CPU");
  EXPECT_FAILURE(pqos_register_cmt(0x7fffffff, -1), ESRCH, "thread 2147483647 does not exist");
  EXPECT_FAILURE(pqos_register_cmt(0, 100000), ESRCH, "CPU 100000 is not online");
  EXPECT_FAILURE(pqos_get_cmt_occupancy(1, -1), ENOENT, "is not registered");
  EXPECT_FAILURE(pqos_unregister_cmt(1, -1), ENOENT, "is not registered");
  EXPECT(groups(NULL) == 0);
}

static void without_resctrl_it_says_so(void) {
  struct hardmeter_llc_options options = {"/no/such/folder"};
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_PROCESS, 0, &options), ENOTSUP, "/no/such/folder");
  /* A CPU could be measured without it. Here libpqos cannot, either. */
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_CPU, 0, &options), ENOTSUP, "; ");
  setenv("HARDMETER_RESCTRL", "/no/such/folder", 1);
  EXPECT_FAILURE(pqos_register_cmt(0, -1), ENOTSUP, "/no/such/folder");
  setenv("HARDMETER_RESCTRL", root, 1);
}

static void figures_are_of_each_cache_and_of_all(void) {
  struct hardmeter_llc_reading sum, caches[4];
  struct hardmeter_llc* monitor = open_process(0);
  EXPECT(monitor != NULL);
  EXPECT(strcmp(hardmeter_llc_provider(monitor), "resctrl") == 0);
  set_values("* 0 llc_occupancy 65536\n* 1 llc_occupancy 4096\n* 0 mbm_total_bytes 7\n");
  EXPECT(hardmeter_llc_read(monitor, &sum, caches, 4) == 2);
  EXPECT(sum.domain == HARDMETER_LLC_ALL && sum.occupancy_bytes == 69632);
  EXPECT(caches[0].domain == 0 && caches[0].occupancy_bytes == 65536 && caches[0].total_bytes == 7);
  EXPECT(caches[1].domain == 1 && caches[1].occupancy_bytes == 4096 && caches[1].local_bytes == 0);
  caches[1].domain = 77;
  EXPECT(hardmeter_llc_read(monitor, NULL, caches, 1) == 2 && caches[1].domain == 77);

  set_values("* 0 llc_occupancy 0\n* 1 llc_occupancy Unavailable\n* 1 mbm_local_bytes Error\n");
  EXPECT(hardmeter_llc_read(monitor, &sum, caches, 4) == 2);
  EXPECT(caches[0].occupancy_bytes == 0);
  EXPECT(caches[1].occupancy_bytes == HARDMETER_LLC_NOT_MEASURED);
  EXPECT(caches[1].local_bytes == HARDMETER_LLC_NOT_MEASURED && caches[1].total_bytes == 0);
  EXPECT(sum.occupancy_bytes == HARDMETER_LLC_NOT_MEASURED && sum.total_bytes == 0);
  set_values("");

  char group[256];
  EXPECT(groups(group) == 1 && has_thread(group, getpid()));
  remove_group(group);
  EXPECT_FAILURE(hardmeter_llc_read(monitor, &sum, caches, 4), ENODATA, "another process ended");
  hardmeter_llc_close(monitor);
  EXPECT_FAILURE(hardmeter_llc_read(monitor, &sum, caches, 4), EINVAL, "unknown monitor");
}

static void a_target_is_measured_once(void) {
  pid_t child = start_sleeper();
  struct hardmeter_llc *first = open_process(child), *second = open_process(child);
  EXPECT(first != NULL && second != NULL && first != second && groups(NULL) == 1);
  EXPECT_NULL(hardmeter_llc_open(HARDMETER_LLC_THREAD, child, NULL), EBUSY, "as a part of process");
  hardmeter_llc_close(first);
  EXPECT(hardmeter_llc_read(second, NULL, NULL, 0) == 2 && groups(NULL) == 1);
  hardmeter_llc_close(second);
  EXPECT(groups(NULL) == 0);

  first = hardmeter_llc_open(HARDMETER_LLC_THREAD, child, NULL);
  EXPECT(first != NULL);
  EXPECT_NULL(open_process(child), EBUSY, "is already measured separately");
  end(child);
  EXPECT(hardmeter_llc_read(first, NULL, NULL, 0) == 2); /* its lines are still there */
  hardmeter_llc_close(first);

  child = start_sleeper();
  make_group("others");
  put_into_group("others", child);
  EXPECT_NULL(open_process(child), EBUSY, "mon_groups/others");
  EXPECT(has_thread("others", child) && groups(NULL) == 1);
  remove_group("others");
  end(child);
}

static pid_t waiting_thread;
static pthread_barrier_t waits, is_over;

static void* wait_there(void* unused) {
  waiting_thread = (pid_t)syscall(SYS_gettid);
  pthread_barrier_wait(&waits);
  pthread_barrier_wait(&is_over);
  return unused;
}

static void a_process_has_all_its_threads(void) {
  char group[256];
  pthread_t thread;
  pthread_barrier_init(&waits, NULL, 2);
  pthread_barrier_init(&is_over, NULL, 2);
  pthread_create(&thread, NULL, wait_there, NULL);
  pthread_barrier_wait(&waits);
  EXPECT(pqos_register_cmt(getpid(), -1) == 0 && groups(group) == 1);
  EXPECT(has_thread(group, getpid()) && has_thread(group, waiting_thread));
  EXPECT_FAILURE(pqos_register_cmt(waiting_thread, -1), EBUSY, "as a part of process");
  EXPECT(pqos_unregister_cmt(getpid(), -1) == 0);
  EXPECT(pqos_register_cmt(waiting_thread, -1) == 0 && groups(group) == 1);
  EXPECT(!has_thread(group, getpid()) && has_thread(group, waiting_thread));
  pthread_barrier_wait(&is_over);
  pthread_join(thread, NULL);
  EXPECT(pqos_get_cmt_occupancy(waiting_thread, -1) == 0);
  EXPECT(pqos_unregister_cmt(waiting_thread, -1) == 0);
}

static void ids_run_out(void) {
  struct hardmeter_llc* monitors[15];
  pid_t children[16];
  for (int i = 0; i < 16; ++i) children[i] = start_sleeper();
  set_values("limbo 100\n");
  EXPECT_NULL(open_process(children[0]), EAGAIN, "in a moment");
  set_values("");
  for (int i = 0; i < 15; ++i) EXPECT((monitors[i] = open_process(children[i])) != NULL);
  EXPECT_NULL(open_process(children[15]), EBUSY, "IDs of the processor are in use");
  for (int i = 0; i < 15; ++i) hardmeter_llc_close(monitors[i]);
  for (int i = 0; i < 16; ++i) end(children[i]);
  EXPECT(groups(NULL) == 0);
}

static void the_names_that_intel_proposed(void) {
  pid_t child = start_sleeper();
  set_values("* 0 llc_occupancy 172032\n* 1 llc_occupancy 1024\n");
  EXPECT(pqos_register_cmt(child, -1) == 0);
  EXPECT_FAILURE(pqos_register_cmt(child, -1), EBUSY, "registered already");
  EXPECT(pqos_get_cmt_occupancy(child, -1) == 173056);
  if (access("/sys/devices/system/cpu/cpu0/cache/index3/id", F_OK) == 0) {
    EXPECT(pqos_register_cmt(child, 0) == 0 && pqos_register_cmt(-1, 0) == 0);
    EXPECT(pqos_get_cmt_occupancy(child, 0) == 172032 && pqos_get_cmt_occupancy(-1, 0) == 172032);
    EXPECT(groups(NULL) == 2);
    EXPECT(pqos_unregister_cmt(child, 0) == 0 && pqos_unregister_cmt(-1, 0) == 0);
  }
  EXPECT(groups(NULL) == 1);
  set_values("* 0 llc_occupancy Unavailable\n");
  EXPECT_FAILURE(pqos_get_cmt_occupancy(child, -1), ENODATA, "at this moment");
  set_values("* 0 llc_occupancy 0\n");
  EXPECT(pqos_get_cmt_occupancy(child, -1) == 0);
  end(child);
  EXPECT(pqos_get_cmt_occupancy(child, -1) == 0);
  EXPECT(pqos_unregister_cmt(child, -1) == 0 && groups(NULL) == 0);
  EXPECT_FAILURE(pqos_get_cmt_occupancy(child, -1), ENOENT, "is not registered");
  EXPECT(pqos_register_cmt(0, -1) == 0 && pqos_get_cmt_occupancy(0, -1) == 0);
  EXPECT(pqos_unregister_cmt(0, -1) == 0);
}

static void nothing_is_left_behind(void) {
  struct hardmeter_llc* monitor = open_process(0);
  pid_t child = fork();
  if (child == 0) { /* has opened nothing, and ends nothing of its parent's */
    int good = hardmeter_llc_read(monitor, NULL, NULL, 0) == -1 && errno == EINVAL && groups(NULL) == 1;
    exit(good ? 0 : 1);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(groups(NULL) == 1 && hardmeter_llc_read(monitor, NULL, NULL, 0) == 2);
  hardmeter_llc_close(monitor);

  child = fork();
  if (child == 0) {
    int good = open_process(0) != NULL && pqos_register_cmt(getppid(), -1) == 0 && groups(NULL) == 2;
    exit(good ? 0 : 1); /* closes nothing */
  }
  EXPECT(waitpid(child, &status, 0) == child && status == 0 && groups(NULL) == 0);

  child = fork();
  if (child == 0) {
    if (open_process(0) != NULL) kill(getpid(), SIGKILL);
    exit(1);
  }
  EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && groups(NULL) == 1);
  monitor = open_process(0);
  EXPECT(groups(NULL) == 1); /* its own: the other one was removed */
  hardmeter_llc_close(monitor);
  EXPECT(groups(NULL) == 0);
}

static void* open_read_close(void* unused) {
  pid_t self = (pid_t)syscall(SYS_gettid);
  for (int i = 0; i < 40; ++i) {
    struct hardmeter_llc_reading sum;
    struct hardmeter_llc* own = hardmeter_llc_open(HARDMETER_LLC_THREAD, self, NULL);
    struct hardmeter_llc* shared = hardmeter_llc_open(HARDMETER_LLC_CPU, 0, NULL);
    EXPECT(own != NULL && shared != NULL);
    EXPECT(hardmeter_llc_read(own, &sum, NULL, 0) == 2 && sum.occupancy_bytes == 8192);
    EXPECT(hardmeter_llc_read(shared, &sum, NULL, 0) == 2 && sum.occupancy_bytes == 8192);
    EXPECT(pqos_register_cmt(0, -1) == 0 && pqos_get_cmt_occupancy(0, -1) == 8192);
    EXPECT_FAILURE(pqos_get_cmt_occupancy(self + 1000000, -1), ENOENT, "is not registered");
    EXPECT(pqos_unregister_cmt(0, -1) == 0);
    hardmeter_llc_close(own);
    hardmeter_llc_close(shared);
  }
  return unused;
}

static void threads_may_call_at_a_time(void) {
  set_values("* 0 llc_occupancy 8000\n* 1 llc_occupancy 192\n");
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, open_read_close, NULL);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  EXPECT(groups(NULL) == 0);
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  root = arguments[1];
  values_file = arguments[2];
  setenv("HARDMETER_RESCTRL", root, 1);
  bad_input_is_refused();
  without_resctrl_it_says_so();
  figures_are_of_each_cache_and_of_all();
  a_target_is_measured_once();
  a_process_has_all_its_threads();
  ids_run_out();
  the_names_that_intel_proposed();
  nothing_is_left_behind();
  threads_may_call_at_a_time();
  if (failures == 0) puts("all as expected");
  return failures == 0 ? 0 : 1;
}
