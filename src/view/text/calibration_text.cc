// SPDX-License-Identifier: MIT
#include "view/text/calibration_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/byte_size.h"
#include "host/calibration/quantities.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

using host::Estimate;
using host::MachineProfile;

std::string ns_text(double ns) {
  return ns < 10    ? fmt::format("{:.2f}", ns)
         : ns < 100 ? fmt::format("{:.1f}", ns)
                    : fmt::format("{:.0f}", ns);
}
std::string ns_text(const std::optional<Estimate>& estimate) {
  return estimate ? ns_text(estimate->value) : kNotMeasured;
}

std::string cycles_text(const MachineProfile& profile, double ns) {
  return fmt::format("{:.1f}", ns * profile.core_ghz.value);
}

std::string head(const MachineProfile& profile) {
  return fmt::format(
      "# costs on {} ({}), measured by timing alone on {} in {:.1f} s\n# {:.2f} GHz, in a cycle {:.1f} instructions and {:.1f} additions, {:.0f} instructions ahead of a load that waits{}\n\n",
      profile.cpu_name, profile.cpu_id, profile.date, static_cast<double>(profile.elapsed_ns) / 1e9,
      profile.core_ghz.value, profile.instructions_per_cycle, profile.additions_per_cycle,
      host::window_instructions(profile), profile.is_virtual ? "; a virtual machine" : "");
}

std::string levels_table(const MachineProfile& profile, const Style& style) {
  Table table({{"level", Align::kLeft},
               {"size used"},
               {"load, ns"},
               {"cycles"},
               {"overlap"},
               {"store"},
               {"read GB/s"},
               {"write"},
               {"copy"}});
  for (const host::LevelProfile& level : profile.levels) {
    const auto rate = [&](Estimate host::Bandwidth::*which) {
      return level.bandwidth ? fmt::format("{:.1f}", ((*level.bandwidth).*which).value) : kNotMeasured;
    };
    double latency_ns = host::latency_ns(level);
    table.add({level.name, byte_size_text(level.measured_bytes), ns_text(latency_ns),
               cycles_text(profile, latency_ns), fmt::format("{:.1f}", max_overlap(level)),
               ns_text(level.store_ns), rate(&host::Bandwidth::read), rate(&host::Bandwidth::write),
               rate(&host::Bandwidth::copy)});
  }
  return table.render(style);
}

std::string overlap_table(const MachineProfile& profile, const Style& style) {
  std::vector<Table::Heading> headings{{"ns per load, by concurrent chases", Align::kLeft}};
  for (const host::Overlap& each : profile.levels.front().overlap)
    headings.push_back({std::to_string(each.chains)});
  Table table(headings);
  for (const host::LevelProfile& level : profile.levels) {
    std::vector<std::string> cells{level.name};
    for (const host::Overlap& each : level.overlap) cells.push_back(ns_text(each.ns));
    cells.resize(headings.size(), kNotMeasured);
    table.add(std::move(cells));
  }
  return table.render(style);
}

// How the latency of a shared cache grows with the memory that is used; empty if it was not measured.
std::string sizes_table(const MachineProfile& profile, const Style& style) {
  std::string text;
  for (const host::LevelProfile& level : profile.levels) {
    if (level.by_size.empty()) continue;
    std::vector<Table::Heading> headings{
        {fmt::format("ns per load, by size of {}", level.name), Align::kLeft}};
    std::vector<std::string> cells{"one chase"};
    for (const host::SizeLatency& each : level.by_size) {
      headings.push_back({byte_size_text(each.bytes)});
      cells.push_back(ns_text(each.ns));
    }
    Table table(headings);
    table.add(std::move(cells));
    text += table.render(style) + '\n';
  }
  return text;
}

// The share of the memory's latency that a walk does not wait for.
std::string hidden_text(const host::WalkProfile& walk, const MachineProfile& profile) {
  double random_ns = host::latency_ns(profile.levels.back());
  return percent(std::max(0.0, 1 - walk.ns.value / random_ns));
}

std::string walks_table(const MachineProfile& profile, const Style& style) {
  Table table({{"walk through memory, dependent loads", Align::kLeft}, {"ns per load"}, {"prefetched"}});
  for (const host::WalkProfile& walk : profile.walks) {
    std::string streams = walk.streams == 1 ? "" : fmt::format(", {} streams in turns", walk.streams);
    table.add(
        {fmt::format("by {} bytes{}{}", walk.stride_bytes, streams, walk.huge_pages ? "" : ", 4 KiB pages"),
         ns_text(walk.ns), hidden_text(walk, profile)});
  }
  return table.render(style);
}

std::string extras_table(const MachineProfile& profile, const Style& style) {
  Table table({{"additional costs", Align::kLeft}, {"ns"}, {"cycles"}});
  const auto add = [&](const char* name, const std::optional<Estimate>& estimate) {
    table.add({name, ns_text(estimate), estimate ? cycles_text(profile, estimate->value) : kNotMeasured});
  };
  add("second TLB instead of the first", profile.second_tlb_ns);
  add("page walk instead of the first TLB", profile.page_walk_ns);
  add("mispredicted branch", profile.hazards.mispredicted_branch_ns);
  add("load across two lines", profile.hazards.split_line_ns);
  add("load across two pages", profile.hazards.split_page_ns);
  add("load of bytes of two earlier stores", profile.hazards.blocked_forward_ns);
  add("load after a store 4 KiB away", profile.hazards.page_alias_ns);
  add("line that another core has modified", profile.modified_line_ns);
  return table.render(style);
}

std::string notes(const MachineProfile& profile, const Style& style) {
  std::vector<std::string> all;
  if (std::vector<std::string> unsteady = unsteady_quantities(profile); !unsteady.empty()) {
    constexpr size_t kNamed = 3;  // --json has all
    size_t named = std::min(unsteady.size(), kNamed);
    all.push_back(fmt::format(
        "disturbed: rounds differ by more than a tenth in {} ({}{}); calibrate again when the machine is idle",
        count_of(unsteady.size(), "quantity", "quantities"),
        fmt::join(unsteady.begin(), unsteady.begin() + static_cast<ptrdiff_t>(named), "; "),
        unsteady.size() > named ? "; ..." : ""));
  }
  if (profile.preemptions != 0)
    all.push_back(fmt::format("other threads ran on this CPU {} during the measurement",
                              count_of(profile.preemptions, "time", "times")));
  constexpr double kMuchStolen = 0.01;
  if (profile.stolen_share.value_or(0) >= kMuchStolen)
    all.push_back(fmt::format("the hypervisor took {} of the time", percent(*profile.stolen_share)));
  std::string out;
  for (const std::string& note : all) out += wrapped("# " + note, style.width, 2) + '\n';
  return out.empty() ? out : '\n' + out;
}

}  // namespace

std::string calibration_report(const MachineProfile& profile, const Style& style) {
  return head(profile) + levels_table(profile, style) + '\n' + overlap_table(profile, style) + '\n' +
         sizes_table(profile, style) + walks_table(profile, style) + '\n' + extras_table(profile, style) +
         notes(profile, style);
}

}  // namespace hm::text
