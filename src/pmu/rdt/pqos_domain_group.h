// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "pmu/rdt/pqos_session.h"

namespace hm::rdt {

// Logical CPUs that share a last-level cache and are measured together with one id.
class PqosDomainGroup {
 public:
  // Fails with kUnsupported if a CPU is monitored already or no id is free. Fails with kIo if other CPUs'
  // lines with libpqos's id are still in the cache; these CPUs' own lines will evict them.
  [[nodiscard]] static Result<std::unique_ptr<PqosDomainGroup>> start(std::shared_ptr<PqosSession> session,
                                                                      uint32_t domain,
                                                                      std::vector<uint32_t> cpus);
  PqosDomainGroup(const PqosDomainGroup&) = delete;
  PqosDomainGroup& operator=(const PqosDomainGroup&) = delete;
  ~PqosDomainGroup();

  // Returns nullopt if another program has taken over one of the CPUs.
  [[nodiscard]] std::optional<Reading> read();

 private:
  PqosDomainGroup(std::shared_ptr<PqosSession> session, uint32_t domain, std::vector<uint32_t> cpus)
      : session_(std::move(session)), domain_(domain), cpus_(std::move(cpus)) {}
  [[nodiscard]] Status begin();
  [[nodiscard]] Error why_not_started(int code) const;
  [[nodiscard]] Status check_old_lines(const Reading& first) const HM_REQUIRES(session_->mutex());
  [[nodiscard]] Reading poll();
  void leave_others_cpus();

  std::shared_ptr<PqosSession> session_;
  uint32_t domain_;
  std::vector<uint32_t> cpus_;
  bool started_ = false;
  pqos_mon_data data_{};
  pqos_rmid_t id_ = 0;
  PqosTotal total_, local_;
};

}  // namespace hm::rdt
