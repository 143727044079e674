// SPDX-License-Identifier: MIT
#include "pmu/linux/session.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include "pmu/linux/explain.h"

namespace hm::linux_pmu {
namespace {

// Where cgroups are mounted: version 2, and version 1's controller (cgroups(7)).
constexpr const char* kCgroupRoots[] = {"/sys/fs/cgroup/", "/sys/fs/cgroup/perf_event/"};

Result<UniqueFd> open_cgroup(Kernel& kernel, const std::string& name) {
  int error = 0;
  for (const char* root : kCgroupRoots) {
    int fd = kernel.open_folder(name.starts_with('/') ? name : root + name);
    if (fd >= 0) return UniqueFd(fd);
    error = -fd;
  }
  return make_error(ErrorCode::kNotFound, "cannot open the cgroup '{}' below {}: {}", name, kCgroupRoots[0],
                    errno_text(error));
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
  for (const Event& event : intent.events) {
    Status opened =
        session.open_event(event, intent, places_of(event, threads, cpus, intent.sampling.has_value()));
    if (!opened) return opened.error();
  }
  if (intent.sampling) {
    if (Status mapped = session.open_rings(ring_bytes); !mapped) return mapped.error();
  }
  return session;
}

Status Session::open_event(const Event& event, const Intent& intent, const std::vector<Place>& places) {
  OpenEvent open{event, make_attr(event, intent), {}, {}};
  int last_error = ENODEV;
  for (const Place& place : places) {
    bool leads = intent.sampling && group_leader(event, place) < 0 &&
                 std::ranges::none_of(events_, [&](const OpenEvent& other) {
                   return std::ranges::find(other.counters, place, &Counter::place) != other.counters.end();
                 });
    while (true) {
      perf_event_attr attr = open.attr;
      if (leads) add_side_band(attr);
      int fd = kernel_->open(attr, cgroup_.valid() ? cgroup_.get() : place.pid, place.cpu,
                             group_leader(event, place), cgroup_.valid() ? PERF_FLAG_PID_CGROUP : 0);
      if (fd >= 0) {
        if (leads) open.attr = attr;
        open.counters.push_back({place, UniqueFd(fd), kernel_->id_of(fd).value_or(0)});
        break;
      }
      last_error = -fd;
      if (last_error == ESRCH && place.pid >= 0) break;  // it has ended meanwhile
      std::optional<Concession> conceded = concede(open.attr, last_error, intent.modes);
      if (!conceded) {
        bool of_command = !intent.target.command.empty() && place.pid >= 0;
        return explain_open(*kernel_, event.name, open.attr, of_command ? Place{0, place.cpu} : place,
                            last_error);
      }
      open.concessions.push_back(*conceded);
    }
  }
  if (open.counters.empty())
    return explain_open(*kernel_, event.name, open.attr, places.empty() ? Place{} : places.front(),
                        last_error);
  events_.push_back(std::move(open));
  return {};
}

int Session::group_leader(const Event& event, const Place& place) const {
  if (event.group == 0) return -1;
  for (const OpenEvent& other : events_) {
    if (other.event.group != event.group) continue;
    auto leader = std::ranges::find(other.counters, place, &Counter::place);
    return leader == other.counters.end() ? -1 : leader->fd.get();
  }
  return -1;
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
      // A thread's event is enabled on every CPU at once, and runs where the thread does.
      bool whole_cpu = counter.place.pid < 0;
      sum.time_enabled_ns =
          whole_cpu ? sum.time_enabled_ns + words[1] : std::max(sum.time_enabled_ns, words[1]);
    }
  }
  return all;
}

}  // namespace hm::linux_pmu
