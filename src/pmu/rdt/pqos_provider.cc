// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_provider.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "pmu/rdt/pqos_domain_group.h"
#include "pmu/rdt/pqos_session.h"

namespace hm::rdt {
namespace {

Error pqos_has_no_threads() {
  return make_error(
      ErrorCode::kUnsupported,
      "libpqos without resctrl monitors logical CPUs, not threads: name CPUs, or mount resctrl (mount -t resctrl resctrl /sys/fs/resctrl)");
}

class PqosGroup final : public Group {
 public:
  void take(std::unique_ptr<PqosDomainGroup> part) { parts_.push_back(std::move(part)); }

  [[nodiscard]] Status add(pid_t) override { return pqos_has_no_threads(); }

  [[nodiscard]] std::vector<Reading> read() override {
    std::vector<Reading> readings;
    for (const auto& part : parts_) {
      std::optional<Reading> reading = part->read();
      // Without one of its CPUs the group would be a different group.
      if (!reading) return {};
      readings.push_back(*reading);
    }
    return readings;
  }

 private:
  std::vector<std::unique_ptr<PqosDomainGroup>> parts_;
};

class PqosProvider final : public Provider {
 public:
  explicit PqosProvider(std::shared_ptr<PqosSession> session) : session_(std::move(session)) {}

  [[nodiscard]] const Capabilities& capabilities() const override { return session_->capabilities(); }
  [[nodiscard]] Result<std::unique_ptr<Group>> watch(const Members& members) override;

 private:
  std::shared_ptr<PqosSession> session_;  // shared with its groups
};

Result<std::unique_ptr<Group>> PqosProvider::watch(const Members& members) {
  if (!members.threads.empty()) return pqos_has_no_threads();
  if (members.ways != 0)
    return make_error(ErrorCode::kUnsupported,
                      "libpqos only measures here; resctrl can also restrict programs to cache ways");
  if (members.cpus.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "the group that libpqos should monitor has no CPU");
  }
  std::map<uint32_t, std::vector<uint32_t>> by_domain;
  for (uint32_t cpu : members.cpus) {
    std::optional<uint32_t> domain = session_->domain_of(cpu);
    if (!domain) {
      return make_error(ErrorCode::kNotFound,
                        "CPU {} does not exist, or was offline when monitoring began: libpqos knows {} CPUs",
                        cpu, session_->cpu_count());
    }
    std::vector<uint32_t>& cpus = by_domain[*domain];
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) cpus.push_back(cpu);
  }
  auto group = std::make_unique<PqosGroup>();
  for (auto& [domain, cpus] : by_domain) {
    auto part = PqosDomainGroup::start(session_, domain, std::move(cpus));
    if (!part) return part.error();
    group->take(std::move(*part));
  }
  return std::unique_ptr<Group>(std::move(group));
}

}  // namespace

Result<std::unique_ptr<Provider>> open_pqos() {
  Result<std::shared_ptr<PqosSession>> session = PqosSession::open();
  if (!session) return session.error();
  return std::unique_ptr<Provider>(std::make_unique<PqosProvider>(std::move(*session)));
}

}  // namespace hm::rdt
