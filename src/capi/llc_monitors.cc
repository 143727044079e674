// SPDX-License-Identifier: MIT
#include "capi/llc_monitors.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "capi/last_error.h"
#include "pmu/rdt/any_provider.h"
#include "pmu/rdt/l3_caches.h"

namespace hm::capi {
namespace {

LlcMonitors* g_llc_monitors = nullptr;

int errno_of_open(ErrorCode code) { return code == ErrorCode::kPermission ? EACCES : ENOTSUP; }

hardmeter_llc_reading as_c(const rdt::Reading& reading, const rdt::Capabilities& capabilities) {
  auto cache = std::ranges::find(capabilities.domains, reading.domain, &rdt::Domain::id);
  return {reading.domain, cache == capabilities.domains.end() ? 0 : cache->bytes,
          reading.occupancy_bytes.value_or(HARDMETER_LLC_NOT_MEASURED),
          reading.total_bytes.value_or(HARDMETER_LLC_NOT_MEASURED),
          reading.local_bytes.value_or(HARDMETER_LLC_NOT_MEASURED)};
}

std::vector<hardmeter_llc_reading> readings_of(LlcMeasurement& measurement) {
  std::vector<hardmeter_llc_reading> caches;
  for (const rdt::Reading& each : measurement.read())
    caches.push_back(as_c(each, measurement.capabilities()));
  if (caches.empty())
    (void)failure(
        ENODATA,
        fmt::format(
            "{} is no longer measured: another process ended its monitoring; close it and open it again",
            llc_target_name(measurement.target())));
  return caches;
}

int not_registered(pid_t task, int cpu) {
  return failure(ENOENT, fmt::format("task {} on CPU {} is not registered (pqos_register_cmt)", task, cpu));
}

}  // namespace

LlcMonitors& LlcMonitors::get() {
  static LlcMonitors* monitors = [] {
    g_llc_monitors = new LlcMonitors;
    ::pthread_atfork([]() HM_UNCHECKED_LOCKS { g_llc_monitors->mutex_.lock(); },
                     []() HM_UNCHECKED_LOCKS { g_llc_monitors->mutex_.unlock(); },
                     []() HM_UNCHECKED_LOCKS { g_llc_monitors->begin_child(); });
    std::atexit([] { g_llc_monitors->end_all(); });
    return g_llc_monitors;
  }();
  return *monitors;
}

void LlcMonitors::end_all() {
  MutexLock guard(mutex_);
  is_over_ = true;
  monitors_.clear();
  registered_.clear();
}

// Measurements belong to the parent, which ends them. The child leaks its references, so that it does not end
// them.
void LlcMonitors::begin_child() {
  for (const auto& each : measurements_) {
    if (auto measurement = each.second.lock())
      (void)new std::shared_ptr<LlcMeasurement>(std::move(measurement));
  }
  monitors_.clear();
  registered_.clear();
  measurements_.clear();
  providers_.clear();
  mutex_.unlock();
}

std::shared_ptr<rdt::Provider> LlcMonitors::provider_for(const LlcTarget& target) {
  bool is_cpu = target.kind == HARDMETER_LLC_CPU;
  std::shared_ptr<rdt::Provider> known = providers_[target.resctrl].lock();
  if (known && (is_cpu || known->capabilities().threads)) return known;
  rdt::ResctrlPlaces places;
  places.root = target.resctrl;
  Result<std::unique_ptr<rdt::Provider>> opened = rdt::open_any(places, is_cpu);
  if (!opened) {
    (void)failure(errno_of_open(opened.error().code), opened.error().message);
    return nullptr;
  }
  std::shared_ptr<rdt::Provider> provider = *std::move(opened);
  providers_[target.resctrl] = provider;
  return provider;
}

std::shared_ptr<LlcMeasurement> LlcMonitors::begun(const LlcTarget& target) const {
  auto found = measurements_.find(target);
  return found == measurements_.end() ? nullptr : found->second.lock();
}

// A thread is in only one group. Adding it to a second group would silently remove it from the first.
int LlcMonitors::check_overlap(const LlcTarget& target) const {
  if (target.kind == HARDMETER_LLC_THREAD) {
    LlcTarget process{HARDMETER_LLC_PROCESS, process_of_thread(target.id), target.resctrl};
    if (!begun(process)) return 0;
    return failure(EBUSY, fmt::format("{} is measured as a part of {} by this program: close that first",
                                      llc_target_name(target), llc_target_name(process)));
  }
  for (pid_t thread : llc_threads_of(target)) {
    LlcTarget part{HARDMETER_LLC_THREAD, thread, target.resctrl};
    if (!begun(part)) continue;
    return failure(
        EBUSY,
        fmt::format("{}, a part of {}, is already measured separately by this program: close that first",
                    llc_target_name(part), llc_target_name(target)));
  }
  return 0;
}

std::shared_ptr<LlcMeasurement> LlcMonitors::measure(const LlcTarget& target) {
  if (is_over_) {
    (void)failure(ENOTSUP, "nothing can be measured: the process is ending");
    return nullptr;
  }
  if (std::shared_ptr<LlcMeasurement> known = begun(target))
    return known->add_threads() == 0 ? known : nullptr;
  if (check_overlap(target) != 0) return nullptr;
  std::shared_ptr<rdt::Provider> provider = provider_for(target);
  if (!provider) return nullptr;
  std::shared_ptr<LlcMeasurement> measurement = LlcMeasurement::begin(std::move(provider), target);
  if (measurement) measurements_[target] = measurement;
  return measurement;
}

void LlcMonitors::forget_ended() {
  std::erase_if(measurements_, [](const auto& each) { return each.second.expired(); });
}

hardmeter_llc* LlcMonitors::open(const LlcTarget& target) {
  MutexLock guard(mutex_);
  std::shared_ptr<LlcMeasurement> measurement = measure(target);
  if (!measurement) return nullptr;
  auto monitor = std::make_unique<hardmeter_llc>(hardmeter_llc{std::move(measurement)});
  hardmeter_llc* opened = monitor.get();
  monitors_[opened] = std::move(monitor);
  return opened;
}

void LlcMonitors::close(hardmeter_llc* monitor) {
  MutexLock guard(mutex_);
  monitors_.erase(monitor);
  forget_ended();
}

std::vector<hardmeter_llc_reading> LlcMonitors::read(const hardmeter_llc* monitor) {
  MutexLock guard(mutex_);
  if (monitors_.contains(monitor)) return readings_of(*monitor->measurement);
  (void)failure(EINVAL, "unknown monitor: it was never opened in this process, or is closed");
  return {};
}

const char* LlcMonitors::provider(const hardmeter_llc* monitor) {
  MutexLock guard(mutex_);
  if (monitors_.contains(monitor)) return monitor->measurement->capabilities().name.c_str();
  (void)failure(EINVAL, "unknown monitor: it was never opened in this process, or is closed");
  return nullptr;
}

int LlcMonitors::register_cmt(const LlcTarget& target, int cpu) {
  MutexLock guard(mutex_);
  std::optional<uint32_t> domain;
  if (cpu >= 0) {
    domain = rdt::l3_cache_of(static_cast<uint32_t>(cpu));
    if (!domain) return failure(ESRCH, fmt::format("CPU {} is not online or has no last-level cache", cpu));
  }
  auto [place, is_new] = registered_.try_emplace({target, cpu});
  if (!is_new)
    return failure(EBUSY, fmt::format("{} on CPU {} is registered already", llc_target_name(target), cpu));
  std::shared_ptr<LlcMeasurement> measurement;
  try {
    measurement = measure(target);
  } catch (...) {
    registered_.erase(place);
    throw;
  }
  if (!measurement) {
    registered_.erase(place);
    return -1;
  }
  place->second = {std::move(measurement), domain};
  return 0;
}

// Looks the target up by its number alone, because a task that has ended cannot be identified as process or
// thread.
LlcMonitors::RegisteredMap::iterator LlcMonitors::find_registered(pid_t task, int cpu,
                                                                  const std::string& resctrl) {
  if (task == -1) return registered_.find({{HARDMETER_LLC_CPU, cpu, resctrl}, cpu});
  auto found = registered_.find({{HARDMETER_LLC_PROCESS, task, resctrl}, cpu});
  return found != registered_.end() ? found : registered_.find({{HARDMETER_LLC_THREAD, task, resctrl}, cpu});
}

int LlcMonitors::unregister_cmt(pid_t task, int cpu, const std::string& resctrl) {
  MutexLock guard(mutex_);
  auto found = find_registered(task, cpu, resctrl);
  if (found == registered_.end()) return not_registered(task, cpu);
  registered_.erase(found);
  forget_ended();
  return 0;
}

int64_t LlcMonitors::cmt_occupancy(pid_t task, int cpu, const std::string& resctrl) {
  MutexLock guard(mutex_);
  auto found = find_registered(task, cpu, resctrl);
  if (found == registered_.end()) return not_registered(task, cpu);
  const Registered& registered = found->second;
  std::vector<hardmeter_llc_reading> caches = readings_of(*registered.measurement);
  if (caches.empty()) return -1;
  if (registered.domain) {
    std::erase_if(caches, [&](const auto& each) { return each.domain != *registered.domain; });
    if (caches.empty())
      return failure(ENODATA, fmt::format("cache {} of CPU {} is not monitored", *registered.domain, cpu));
  }
  uint64_t bytes = sum_of_caches(caches).occupancy_bytes;
  if (bytes != HARDMETER_LLC_NOT_MEASURED) return static_cast<int64_t>(bytes);
  return failure(ENODATA, fmt::format("the processor has no occupancy of {} at this moment: try again",
                                      llc_target_name(registered.measurement->target())));
}

hardmeter_llc_reading sum_of_caches(const std::vector<hardmeter_llc_reading>& caches) {
  const auto add = [](uint64_t& sum, uint64_t part) {
    bool measured = sum != HARDMETER_LLC_NOT_MEASURED && part != HARDMETER_LLC_NOT_MEASURED;
    sum = measured ? sum + part : HARDMETER_LLC_NOT_MEASURED;
  };
  hardmeter_llc_reading sum{HARDMETER_LLC_ALL, 0, 0, 0, 0};
  bool sizes_known = true;
  for (const hardmeter_llc_reading& each : caches) {
    sizes_known = sizes_known && each.cache_bytes != 0;
    sum.cache_bytes += each.cache_bytes;
    add(sum.occupancy_bytes, each.occupancy_bytes);
    add(sum.total_bytes, each.total_bytes);
    add(sum.local_bytes, each.local_bytes);
  }
  if (!sizes_known) sum.cache_bytes = 0;
  return sum;
}

}  // namespace hm::capi
