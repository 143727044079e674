// SPDX-License-Identifier: MIT
#include "analysis/timeline/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hm::timeline {
namespace {

constexpr std::array<std::string_view, 3> kByNames{"thread", "process", "cpu"};

}  // namespace

std::string_view name_of(By by) { return kByNames[static_cast<size_t>(by)]; }

std::optional<By> by_named(std::string_view name) {
  auto found = std::ranges::find(kByNames, name);
  if (found == kByNames.end()) return std::nullopt;
  return static_cast<By>(found - kByNames.begin());
}

uint32_t LaneNumbers::of(const Track& track) {
  const profile::Thread& thread = profile_.threads[track.thread];
  constexpr uint64_t kNoCpu = UINT64_MAX;
  uint64_t key = by_ == By::kThread    ? track.thread
                 : by_ == By::kProcess ? thread.pid
                                       : (track.cpu ? uint64_t{*track.cpu} : kNoCpu);
  auto [found, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(names_.size()));
  if (is_new && by_ == By::kCpu)
    names_.push_back({track.cpu ? fmt::format("CPU {}", *track.cpu) : "CPU not recorded", {}, {}});
  else if (is_new)
    names_.push_back({fmt::format("{} {}", by_ == By::kThread ? thread.tid : thread.pid, thread.name()),
                      thread.pid, thread.program_or_comm()});
  return found->second;
}

}  // namespace hm::timeline
