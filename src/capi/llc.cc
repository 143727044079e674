// SPDX-License-Identifier: MIT
#include "hardmeter/llc.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "capi/last_error.h"
#include "capi/llc_monitors.h"
#include "pmu/rdt/resctrl.h"

using namespace hm;

namespace {

int open_llc(hardmeter_llc_target kind, int id, const hardmeter_llc_options* options,
             hardmeter_llc*& opened) {
  if (kind != HARDMETER_LLC_THREAD && kind != HARDMETER_LLC_PROCESS && kind != HARDMETER_LLC_CPU)
    return capi::failure(EINVAL, fmt::format("target {} does not exist", static_cast<int>(kind)));
  if (id < 0) return capi::failure(EINVAL, fmt::format("no thread, process or CPU has the number {}", id));
  if (id == 0 && kind == HARDMETER_LLC_THREAD) id = ::gettid();
  if (id == 0 && kind == HARDMETER_LLC_PROCESS) id = ::getpid();
  bool has_folder = options != nullptr && options->resctrl != nullptr && *options->resctrl != '\0';
  opened = capi::LlcMonitors::get().open({kind, id, has_folder ? options->resctrl : rdt::resctrl_root()});
  return opened == nullptr ? -1 : 0;
}

int read_llc(const hardmeter_llc* monitor, hardmeter_llc_reading* sum, hardmeter_llc_reading* domains,
             size_t room) {
  std::vector<hardmeter_llc_reading> caches = capi::LlcMonitors::get().read(monitor);
  if (caches.empty()) return -1;
  if (sum != nullptr) *sum = capi::sum_of_caches(caches);
  if (domains != nullptr) std::copy_n(caches.begin(), std::min(room, caches.size()), domains);
  return static_cast<int>(caches.size());
}

int register_cmt(pid_t task, int cpu) {
  if (task < -1 || cpu < -1 || (task == -1 && cpu == -1))
    return capi::failure(
        EINVAL, fmt::format("neither a task nor a CPU can be registered as task {} on CPU {}", task, cpu));
  capi::LlcTarget target{HARDMETER_LLC_CPU, cpu, rdt::resctrl_root()};
  if (task == 0) {
    target.kind = HARDMETER_LLC_THREAD;
    target.id = ::gettid();
  } else if (task > 0) {
    target.kind = capi::process_of_thread(task) == task ? HARDMETER_LLC_PROCESS : HARDMETER_LLC_THREAD;
    target.id = task;
  }
  return capi::LlcMonitors::get().register_cmt(target, cpu);
}

}  // namespace

extern "C" {

struct hardmeter_llc* hardmeter_llc_open(enum hardmeter_llc_target target, int id,
                                         const struct hardmeter_llc_options* options) {
  hardmeter_llc* opened = nullptr;
  (void)capi::guarded([&] { return open_llc(target, id, options, opened); });
  return opened;
}

int hardmeter_llc_read(struct hardmeter_llc* monitor, struct hardmeter_llc_reading* sum,
                       struct hardmeter_llc_reading* domains, size_t room) {
  return capi::guarded([&] { return read_llc(monitor, sum, domains, room); });
}

const char* hardmeter_llc_provider(const struct hardmeter_llc* monitor) {
  const char* name = nullptr;
  (void)capi::guarded([&] {
    name = capi::LlcMonitors::get().provider(monitor);
    return 0;
  });
  return name;
}

void hardmeter_llc_close(struct hardmeter_llc* monitor) {
  if (monitor == nullptr) return;
  (void)capi::guarded([&] {
    capi::LlcMonitors::get().close(monitor);
    return 0;
  });
}

int pqos_register_cmt(pid_t taskid, int cpu) {
  return capi::guarded([&] { return register_cmt(taskid, cpu); });
}

int64_t pqos_get_cmt_occupancy(pid_t taskid, int cpu) {
  int64_t bytes = -1;
  (void)capi::guarded([&] {
    pid_t task = taskid == 0 ? ::gettid() : taskid;
    bytes = capi::LlcMonitors::get().cmt_occupancy(task, cpu, rdt::resctrl_root());
    return 0;
  });
  return bytes;
}

int pqos_unregister_cmt(pid_t taskid, int cpu) {
  return capi::guarded([&] {
    pid_t task = taskid == 0 ? ::gettid() : taskid;
    return capi::LlcMonitors::get().unregister_cmt(task, cpu, rdt::resctrl_root());
  });
}

}  // extern "C"
