// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "hardmeter/llc.h"
#include "pmu/rdt/provider.h"

namespace hm::capi {

struct LlcTarget {
  hardmeter_llc_target kind = HARDMETER_LLC_THREAD;
  int id = 0;
  std::string resctrl;  // where it is mounted

  bool operator<(const LlcTarget& other) const {
    return std::tie(kind, id, resctrl) < std::tie(other.kind, other.id, other.resctrl);
  }
};

// "process 17"
[[nodiscard]] std::string llc_target_name(const LlcTarget& target);

// What is measured of one target, for all who asked for it.
class LlcMeasurement {
 public:
  // Null where it fails; the failure is kept (last_error.h).
  static std::shared_ptr<LlcMeasurement> begin(std::shared_ptr<rdt::Provider> provider,
                                               const LlcTarget& target);

  // Threads that are there now and were not put into it; another process may have the number now. 0, or -1
  // and the failure is kept.
  [[nodiscard]] int add_threads();

  [[nodiscard]] const LlcTarget& target() const { return target_; }
  [[nodiscard]] const rdt::Capabilities& capabilities() const { return provider_->capabilities(); }
  // None where somebody else has ended it.
  [[nodiscard]] std::vector<rdt::Reading> read();

 private:
  LlcMeasurement(std::shared_ptr<rdt::Provider> provider, LlcTarget target)
      : provider_(std::move(provider)), target_(std::move(target)) {}
  [[nodiscard]] int begin_group();

  std::shared_ptr<rdt::Provider> provider_;
  LlcTarget target_;
  std::unique_ptr<rdt::Group> group_;
};

// The threads of a process now, a thread alone; none where it has ended, and of a CPU.
[[nodiscard]] std::vector<pid_t> llc_threads_of(const LlcTarget& target);

// The process that a thread belongs to; 0 where it has ended.
[[nodiscard]] pid_t process_of_thread(pid_t thread);

}  // namespace hm::capi
