// SPDX-License-Identifier: MIT
#include "pmu/linux/perf_session.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <string_view>

#include "base/cgroup.h"
#include "pmu/linux/open_errors.h"

namespace hm::linux_pmu {
namespace {

Result<UniqueFd> open_cgroup(Kernel& kernel, const std::string& name) {
  int error = 0;
  for (std::string_view root : kCgroupRoots) {
    int fd = kernel.open_folder(cgroup_folder(root, name));
    if (fd >= 0) return UniqueFd(fd);
    error = -fd;
  }
  return no_such_cgroup(name, error);
}

}  // namespace

Result<Session> Session::open(Kernel& kernel, const Intent& intent, const std::vector<pid_t>& threads,
                              size_t ring_bytes) {
  Session session(kernel);
  if (!intent.target.cgroup.empty()) {
    Result<UniqueFd> cgroup = open_cgroup(kernel, intent.target.cgroup);
    if (!cgroup) return cgroup.error();
    session.cgroup_ = *std::move(cgroup);
  }
  std::vector<int> cpus = intent.target.cpus.empty() ? online_cpus(kernel) : intent.target.cpus;
  bool one_ring = !intent.inherit && threads.size() == 1;  // the ring follows its thread from CPU to CPU
  for (const Event& event : intent.events) {
    Status opened = session.open_event(
        event, intent, pids_and_cpus(event, threads, cpus, intent.sampling.has_value() && !one_ring));
    if (!opened) return opened.error();
  }
  if (intent.sampling) {
    if (Status mapped = session.open_rings(ring_bytes); !mapped) return mapped.error();
  }
  return session;
}

Status Session::open_event(const Event& event, const Intent& intent, const std::vector<PidAndCpu>& places) {
  OpenEvent open{event, make_attr(event, intent), {}, {}};
  if (only_in_kernel(open.attr) && open.attr.exclude_kernel != 0)
    return make_error(ErrorCode::kUnsupported,
                      "cannot measure {} in user mode alone: it happens in the kernel; omit -u", event.name);
  int last_error = ENODEV;
  for (const PidAndCpu& place : places) {
    int fd = open_at(place, intent, open);
    if (fd >= 0) {
      open.counters.push_back({place, UniqueFd(fd), kernel_->id_of(fd).value_or(0)});
      continue;
    }
    last_error = -fd;
    bool ended_meanwhile = last_error == ESRCH && place.pid >= 0;
    if (!ended_meanwhile) return explain(open, intent, place, last_error);
  }
  if (open.counters.empty())
    return explain(open, intent, places.empty() ? PidAndCpu{} : places.front(), last_error);
  for (const Counter& counter : open.counters) {
    opened_at_.insert(counter.place);
    if (event.group != 0) leaders_.try_emplace({event.group, counter.place}, counter.fd.get());
  }
  events_.push_back(std::move(open));
  return {};
}

// Returns a file descriptor, or a negative errno if nothing more can be given up.
int Session::open_at(const PidAndCpu& place, const Intent& intent, OpenEvent& open) {
  auto leader = leaders_.find({open.event.group, place});
  int group_fd = leader == leaders_.end() ? -1 : leader->second;
  bool has_side_band = intent.sampling && !opened_at_.contains(place);
  bool modes_chosen = intent.modes.chosen || open.event.user || open.event.kernel;
  bool wants_kernel_symbols = true;
  while (true) {
    perf_event_attr attr = open.attr;
    if (has_side_band) add_side_band(attr);
    if (!wants_kernel_symbols) attr.ksymbol = 0;
    int fd = kernel_->open(attr, cgroup_.valid() ? cgroup_.get() : place.pid, place.cpu, group_fd,
                           cgroup_.valid() ? PERF_FLAG_PID_CGROUP : 0);
    if (fd >= 0 || (fd == -ESRCH && place.pid >= 0)) {
      if (fd >= 0) open.attr = attr;
      return fd;
    }
    if (fd == -EINVAL && attr.ksymbol != 0) {  // kernels before 5.1 have no such records
      wants_kernel_symbols = false;
      continue;
    }
    std::optional<Fallback> fallback = fall_back(open.attr, -fd, modes_chosen);
    if (!fallback) return fd;
    wants_kernel_symbols = true;
    open.fallbacks.push_back(*fallback);
  }
}

Error Session::explain(const OpenEvent& open, const Intent& intent, const PidAndCpu& place, int error) const {
  if (cgroup_.valid() && (error == EBADF || (error == ENOENT && open.attr.type == PERF_TYPE_SOFTWARE)))
    return make_error(
        ErrorCode::kUnsupported,
        "cannot measure the cgroup '{}': perf events support cgroups of version 2 and of the controller perf_event, and it is neither; see /proc/self/cgroup",
        intent.target.cgroup);
  bool of_command = intent.target.only_a_command() && place.pid >= 0;
  return explain_open(*kernel_, open.event.name, open.attr, of_command ? PidAndCpu{0, place.cpu} : place,
                      error);
}

Status Session::open_rings(size_t ring_bytes) {
  std::map<int, int> ring_of_cpu;
  for (const OpenEvent& event : events_) {
    for (const Counter& counter : event.counters) {
      auto [known, is_new] = ring_of_cpu.try_emplace(counter.place.cpu, counter.fd.get());
      int error = 0;
      if (is_new) {
        auto [ring, map_error] = Ring::map(*kernel_, counter.fd.get(), ring_bytes);
        if (!ring) return explain_ring(*kernel_, ring_bytes, map_error);
        rings_.push_back(std::move(ring));
      } else {
        error = -kernel_->control(counter.fd.get(), PERF_EVENT_IOC_SET_OUTPUT, known->second);
      }
      if (error != 0) return explain_ring(*kernel_, ring_bytes, error);
    }
  }
  return {};
}

void Session::control_all(unsigned long request) {
  for (const OpenEvent& event : events_) {
    for (const Counter& counter : event.counters) (void)kernel_->control(counter.fd.get(), request, 0);
  }
}

void Session::abandon() {
  for (OpenEvent& event : events_) event.counters.clear();
  for (auto& ring : rings_) (void)ring.release();
  rings_.clear();
}

void Session::enable() { control_all(PERF_EVENT_IOC_ENABLE); }
void Session::disable() { control_all(PERF_EVENT_IOC_DISABLE); }

std::vector<std::map<pid_t, Counted>> Session::read() const {
  std::vector<std::map<pid_t, Counted>> all;
  for (const OpenEvent& event : events_) {
    std::map<pid_t, Counted>& counted = all.emplace_back();
    for (const Counter& counter : event.counters) {
      uint64_t words[4] = {};  // value, time enabled, time running, id: make_attr()'s read_format
      if (kernel_->read(counter.fd.get(), words) < 3) continue;
      Counted& sum = counted[counter.place.pid];
      sum.value += words[0];
      sum.time_running_ns += words[2];
      // A thread's event is enabled on every CPU at the same time, and runs only on the thread's current CPU.
      bool whole_cpu = counter.place.pid < 0;
      sum.time_enabled_ns =
          whole_cpu ? sum.time_enabled_ns + words[1] : std::max(sum.time_enabled_ns, words[1]);
    }
  }
  return all;
}

}  // namespace hm::linux_pmu
