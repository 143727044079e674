// SPDX-License-Identifier: MIT
// Last-level cache measurements of this process through the C API.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "capi/llc_measurement.h"

struct hardmeter_llc {
  std::shared_ptr<hm::capi::LlcMeasurement> measurement;
};

namespace hm::capi {

// Locks out concurrent callers, because providers are not thread-safe. Failures store the error
// (last_error.h).
class LlcMonitors {
 public:
  // The object is never destroyed, but ends all measurements at the exit of the process.
  static LlcMonitors& get();

  // Returns null on failure.
  hardmeter_llc* open(const LlcTarget& target);
  void close(hardmeter_llc* monitor);
  // Returns an empty list on failure.
  std::vector<hardmeter_llc_reading> read(const hardmeter_llc* monitor);
  const char* provider(const hardmeter_llc* monitor);

  // Registers a target for pqos_register_cmt(): all caches if `cpu` is -1, else that CPU's cache. Returns 0
  // or -1.
  int register_cmt(const LlcTarget& target, int cpu);
  int unregister_cmt(pid_t task, int cpu, const std::string& resctrl);
  int64_t cmt_occupancy(pid_t task, int cpu, const std::string& resctrl);

 private:
  struct Registered {
    std::shared_ptr<LlcMeasurement> measurement;
    std::optional<uint32_t> domain;  // nullopt: all caches
  };
  using RegisteredMap = std::map<std::pair<LlcTarget, int>, Registered>;

  std::shared_ptr<LlcMeasurement> measure(const LlcTarget& target) HM_REQUIRES(mutex_);
  [[nodiscard]] std::shared_ptr<rdt::Provider> provider_for(const LlcTarget& target) HM_REQUIRES(mutex_);
  [[nodiscard]] std::shared_ptr<LlcMeasurement> begun(const LlcTarget& target) const HM_REQUIRES(mutex_);
  [[nodiscard]] int check_overlap(const LlcTarget& target) const HM_REQUIRES(mutex_);
  [[nodiscard]] RegisteredMap::iterator find_registered(pid_t task, int cpu, const std::string& resctrl)
      HM_REQUIRES(mutex_);
  void forget_ended() HM_REQUIRES(mutex_);
  void end_all();
  void begin_child() HM_RELEASES(mutex_);  // which the parent took before fork(2)

  Mutex mutex_;
  bool is_over_ HM_GUARDED_BY(mutex_) = false;
  std::map<const hardmeter_llc*, std::unique_ptr<hardmeter_llc>> monitors_ HM_GUARDED_BY(mutex_);
  RegisteredMap registered_ HM_GUARDED_BY(mutex_);
  std::map<LlcTarget, std::weak_ptr<LlcMeasurement>> measurements_ HM_GUARDED_BY(mutex_);
  std::map<std::string, std::weak_ptr<rdt::Provider>> providers_
      HM_GUARDED_BY(mutex_);  // by mount point of resctrl
};

// Adds up all caches. A value that was not measured in one cache is missing in the sum.
[[nodiscard]] hardmeter_llc_reading sum_of_caches(const std::vector<hardmeter_llc_reading>& caches);

}  // namespace hm::capi
