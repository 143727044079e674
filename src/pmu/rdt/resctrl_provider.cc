// SPDX-License-Identifier: MIT
#include "pmu/rdt/resctrl_provider.h"

#include <algorithm>
#include <map>
#include <optional>

#include "pmu/rdt/bounded_group.h"
#include "pmu/rdt/l3_caches.h"
#include "pmu/rdt/resctrl_group.h"

namespace hm::rdt {
namespace {

Capabilities resctrl_capabilities(const ResctrlState& state, const std::vector<Domain>& caches) {
  const Monitoring& monitoring = state.resctrl().monitoring();
  Capabilities capabilities{.name = "resctrl",
                            .occupancy = monitoring.occupancy,
                            .total_bandwidth = monitoring.total_bandwidth,
                            .local_bandwidth = monitoring.local_bandwidth,
                            .threads = true,
                            .cpus = true,
                            .groups = monitoring.ids > 1 ? monitoring.ids - 1 : 0,
                            .ways = ways_of_caches(state.resctrl()),
                            .domains = {}};
  for (uint32_t id : state.domains()) {
    auto cache = std::ranges::find(caches, id, &Domain::id);
    capabilities.domains.push_back({id, cache == caches.end() ? 0 : cache->bytes});
  }
  return capabilities;
}

class ResctrlProvider final : public Provider {
 public:
  ResctrlProvider(std::shared_ptr<ResctrlState> state, const std::vector<Domain>& caches)
      : state_(std::move(state)), capabilities_(resctrl_capabilities(*state_, caches)) {}

  [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
  Result<std::unique_ptr<Group>> watch(const Members& members) override;
  std::vector<ForeignGroup> foreign_groups() override;

 private:
  Result<std::unique_ptr<Group>> bound(const Members& members);

  std::shared_ptr<ResctrlState> state_;
  Capabilities capabilities_;
  std::map<std::string, CounterFiles> foreign_counters_;  // by path below the root
};

Result<std::unique_ptr<Group>> ResctrlProvider::watch(const Members& members) {
  if (!members.threads.empty() && !members.cpus.empty())
    return make_error(ErrorCode::kInvalidArgument, "a group is of threads or of CPUs, not of both");
  if (members.ways != 0) return bound(members);
  auto group = std::make_unique<ResctrlGroup>(state_);
  Status added = members.cpus.empty() ? group->add_all(members.threads) : group->add_cpus(members.cpus);
  if (!added.ok()) return added.error();
  return std::unique_ptr<Group>(std::move(group));
}

Result<std::unique_ptr<Group>> ResctrlProvider::bound(const Members& members) {
  if (!members.cpus.empty())
    return make_error(ErrorCode::kUnsupported, "only threads can be restricted to cache ways, not CPUs");
  Result<std::unique_ptr<BoundedGroup>> group = BoundedGroup::make(state_, members.ways);
  if (!group) return group.error();
  for (pid_t thread : members.threads) {
    Status added = (*group)->add(thread);
    bool is_left_out = !added && (added.error().code == ErrorCode::kNotFound ||
                                  added.error().code == ErrorCode::kUnsupported);
    if (!added && !is_left_out) return added.error();
  }
  return std::unique_ptr<Group>(*std::move(group));
}

std::vector<ForeignGroup> ResctrlProvider::foreign_groups() {
  std::vector<ForeignGroup> found;
  std::map<std::string, CounterFiles> counters;
  uint64_t version = state_->domains_version();
  for (const GroupFolder& group : state_->resctrl().groups()) {
    if (group.path.empty() || state_->is_own(group.path)) continue;
    auto known = foreign_counters_.extract(group.path);
    auto files = known.empty() ? counters.try_emplace(group.path, state_->counters_of(group.path)).first
                               : counters.insert(std::move(known)).position;
    std::optional<std::vector<Reading>> readings = files->second.read(version);
    if (readings) found.push_back({group.path, state_->resctrl().threads(group.path), *std::move(readings)});
  }
  foreign_counters_ = std::move(counters);
  return found;
}

}  // namespace

Result<std::unique_ptr<Provider>> open_resctrl(const ResctrlPlaces& places) {
  Result<Resctrl> resctrl = Resctrl::open(places);
  if (!resctrl) return resctrl.error();
  resctrl->remove_leftovers();
  auto state = std::make_shared<ResctrlState>(*std::move(resctrl), places.proc);
  return std::unique_ptr<Provider>(
      std::make_unique<ResctrlProvider>(std::move(state), l3_caches(places.cpus)));
}

}  // namespace hm::rdt
