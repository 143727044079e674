// SPDX-License-Identifier: MIT
#include "pmu/rdt/resctrl_group.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hm::rdt {
namespace {

// Sums two parts of a group; nullopt if one of them was not measured.
std::optional<uint64_t> sum_of(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

Reading sum_of(const Reading& a, const Reading& b) {
  return {a.domain, sum_of(a.occupancy_bytes, b.occupancy_bytes), sum_of(a.total_bytes, b.total_bytes),
          sum_of(a.local_bytes, b.local_bytes)};
}

// Sums the parts for each domain. A domain that is not in all parts, because it is being added or removed, is
// not measured.
std::vector<Reading> sum_of(const std::vector<std::vector<Reading>>& parts) {
  std::map<uint32_t, Reading> sums;
  std::map<uint32_t, size_t> parts_with;
  for (const std::vector<Reading>& part : parts) {
    for (const Reading& reading : part) {
      auto [sum, is_first] = sums.try_emplace(reading.domain, reading);
      if (!is_first) sum->second = sum_of(sum->second, reading);
      ++parts_with[reading.domain];
    }
  }
  std::vector<Reading> readings;
  for (const auto& [domain, sum] : sums) {
    bool in_all = parts_with[domain] == parts.size();
    readings.push_back(in_all ? sum : Reading{domain, std::nullopt, std::nullopt, std::nullopt});
  }
  return readings;
}

std::vector<uint32_t> common_cpus(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> both;
  for (uint32_t cpu : a) {
    if (std::ranges::find(b, cpu) != b.end()) both.push_back(cpu);
  }
  return both;
}

}  // namespace

ResctrlGroup::~ResctrlGroup() {
  for (const Part& part : parts_) state_->forget_group(part.folder);
}

Result<ResctrlGroup::Part*> ResctrlGroup::part_in(const std::string& control) {
  auto found = std::ranges::find(parts_, control, &Part::control);
  if (found != parts_.end()) return &*found;
  Result<OwnedFolder> folder = state_->make_group(control);
  if (!folder) return folder.error();
  CounterFiles counters = state_->counters_of(state_->below_root(*folder));
  ThreadsFile threads(folder->path());
  return &parts_.emplace_back(Part{control, *std::move(folder), std::move(counters), std::move(threads)});
}

Result<ResctrlGroup::Placed> ResctrlGroup::place(pid_t thread) {
  constexpr int kTries = 3;
  if (thread <= 0) return Placed{.has_ended = true};  // the kernel takes 0 for the calling thread
  Status tried;
  for (int i = 0; i < kTries; ++i) {
    ThreadPlace place = state_->thread_places().find(thread);
    if (!place.monitor.empty() && !state_->is_own(place.monitor)) return Placed{.foreign = place.monitor};
    Result<Part*> part = part_in(place.control);
    tried = part ? (*part)->threads.add(thread) : Status(part.error());
    if (tried.ok()) return Placed{};
    ErrorCode code = tried.error().code;
    if (part && code == ErrorCode::kNotFound) return Placed{.has_ended = true};
    if (code != ErrorCode::kInvalidArgument && code != ErrorCode::kNotFound) return tried.error();
    state_->thread_places().forget();  // the thread was moved or its control group removed
  }
  return tried.error();
}

Status ResctrlGroup::add(pid_t thread) {
  state_->thread_places().forget();
  Result<Placed> placed = place(thread);
  close_thread_files();
  if (!placed) return placed.error();
  if (placed->has_ended) return make_error(ErrorCode::kNotFound, "thread {} has ended", thread);
  if (!placed->foreign.empty())
    return make_error(ErrorCode::kUnsupported,
                      "thread {} is in {}, another program's monitoring group, and stays there", thread,
                      placed->foreign);
  return {};
}

Status ResctrlGroup::add_all(const std::vector<pid_t>& threads) {
  state_->thread_places().forget();
  Status added;
  for (size_t i = 0; i < threads.size() && added.ok(); ++i) {
    if (Result<Placed> placed = place(threads[i]); !placed) added = placed.error();
  }
  close_thread_files();
  if (!added.ok() || !parts_.empty()) return added;
  // All threads were skipped: create an empty group for threads that are added later.
  Result<Part*> part = part_in("");
  return part ? Status() : part.error();
}

Status ResctrlGroup::add_cpus(const std::vector<uint32_t>& cpus) {
  std::vector<uint32_t> found;
  std::vector<GroupFolder> groups = state_->resctrl().groups();
  std::vector<std::vector<uint32_t>> cpus_of_groups;
  for (const GroupFolder& group : groups) {
    std::vector<uint32_t> ours = common_cpus(cpus, state_->resctrl().cpus(group.path));
    if (group.is_monitor && !ours.empty())
      return make_error(ErrorCode::kUnsupported, "CPU {} is already monitored in {}, and stays there",
                        ours.front(), group.path);
    found.insert(found.end(), ours.begin(), ours.end());
    cpus_of_groups.push_back(std::move(ours));
  }
  for (uint32_t cpu : cpus) {
    if (std::ranges::find(found, cpu) == found.end())
      return make_error(ErrorCode::kNotFound, "CPU {} is not online", cpu);
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    if (cpus_of_groups[i].empty()) continue;
    Result<Part*> part = part_in(groups[i].path);
    if (!part) return part.error();
    if (Status written = write_cpus((*part)->folder.path(), cpus_of_groups[i]); !written.ok()) return written;
  }
  return {};
}

std::vector<Reading> ResctrlGroup::read() {
  uint64_t version = state_->domains_version();
  std::vector<std::vector<Reading>> parts;
  for (Part& part : parts_) {
    std::optional<std::vector<Reading>> readings = part.counters.read(version);
    // Without one of its parts the sum would be too small.
    if (!readings) return {};
    parts.push_back(*std::move(readings));
  }
  return parts.size() == 1 ? std::move(parts.front()) : sum_of(parts);
}

void ResctrlGroup::close_thread_files() {
  for (Part& part : parts_) part.threads.close();
}

}  // namespace hm::rdt
