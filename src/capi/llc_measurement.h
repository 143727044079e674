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
  std::string resctrl;  // its mount point

  bool operator<(const LlcTarget& other) const {
    return std::tie(kind, id, resctrl) < std::tie(other.kind, other.id, other.resctrl);
  }
};

// Returns for example "process 17".
[[nodiscard]] std::string llc_target_name(const LlcTarget& target);

// Measurement of one target, shared by all its users.
class LlcMeasurement {
 public:
  // Returns null on failure and stores the error (last_error.h).
  static std::shared_ptr<LlcMeasurement> begin(std::shared_ptr<rdt::Provider> provider,
                                               const LlcTarget& target);

  // Adds current threads of the target that are not in the group yet. Another process may have reused the
  // number. Returns 0, or -1 after storing the error.
  [[nodiscard]] int add_threads();

  [[nodiscard]] const LlcTarget& target() const { return target_; }
  [[nodiscard]] const rdt::Capabilities& capabilities() const { return provider_->capabilities(); }
  // Returns no readings if another process has ended the measurement.
  [[nodiscard]] std::vector<rdt::Reading> read();

 private:
  LlcMeasurement(std::shared_ptr<rdt::Provider> provider, LlcTarget target)
      : provider_(std::move(provider)), target_(std::move(target)) {}
  [[nodiscard]] int begin_group();

  std::shared_ptr<rdt::Provider> provider_;
  LlcTarget target_;
  std::unique_ptr<rdt::Group> group_;
};

// Returns the current threads of a process, or the single thread; empty if it has ended or if the target is a
// CPU.
[[nodiscard]] std::vector<pid_t> llc_threads_of(const LlcTarget& target);

// Returns the process that a thread belongs to, 0 if it has ended.
[[nodiscard]] pid_t process_of_thread(pid_t thread);

}  // namespace hm::capi
