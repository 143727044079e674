// SPDX-License-Identifier: MIT
// Every measured quantity of a machine profile, with a name.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "host/calibration/machine_profile.h"

namespace hm::host {

// Returns the names of the quantities whose repetitions did not agree.
[[nodiscard]] std::vector<std::string> unsteady_quantities(const MachineProfile& profile);

[[nodiscard]] inline std::string walk_name(const WalkProfile& walk) {
  return fmt::format("walk by {} bytes, {} stream{}, {} pages", walk.stride_bytes, walk.streams,
                     walk.streams == 1 ? "" : "s", walk.huge_pages ? "huge" : "4 KiB");
}

// Calls visit(NAME, ESTIMATE) for each quantity that was measured, of a profile that may be constant.
template <typename Profile, typename Visit>
void for_each_quantity(Profile& profile, Visit&& visit) {
  visit("clock", profile.core_ghz);
  for (auto& level : profile.levels) {
    for (auto& each : level.overlap)
      visit(fmt::format("{} latency, {} chain{}", level.name, each.chains, each.chains == 1 ? "" : "s"),
            each.ns);
    for (auto& each : level.by_size)
      visit(fmt::format("{} latency, {} KiB", level.name, each.bytes >> 10), each.ns);
    visit(level.name + " store", level.store_ns);
    if (!level.bandwidth) continue;
    visit(level.name + " read bandwidth", level.bandwidth->read);
    visit(level.name + " write bandwidth", level.bandwidth->write);
    visit(level.name + " copy bandwidth", level.bandwidth->copy);
  }
  if (profile.second_tlb_ns) visit("second TLB", *profile.second_tlb_ns);
  if (profile.page_walk_ns) visit("page walk", *profile.page_walk_ns);
  for (auto& walk : profile.walks) visit(walk_name(walk), walk.ns);
  visit("load among other instructions", profile.sparse_load_ns);
  auto& hazards = profile.hazards;
  visit("mispredicted branch", hazards.mispredicted_branch_ns);
  visit("split line", hazards.split_line_ns);
  visit("split page", hazards.split_page_ns);
  visit("blocked store forwarding", hazards.blocked_forward_ns);
  visit("4 KiB aliasing", hazards.page_alias_ns);
  if (profile.modified_line_ns) visit("line modified by another core", *profile.modified_line_ns);
}

}  // namespace hm::host
