// SPDX-License-Identifier: MIT
#include "event/perf_names.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "base/edit_distance.h"

namespace hm::event {
namespace {

// perf-list(1)'s names and the events that count the same.
constexpr auto kPerfNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"L1-dcache-load-misses", "l1_cache_miss"},
    {"L1-dcache-loads", "memory_loads"},
    {"L1-dcache-store-misses", "l1_store_miss"},
    {"L1-dcache-stores", "memory_stores"},
    {"L1-icache-load-misses", "icache_miss"},
    {"LLC-load-misses", "l3_cache_miss"},
    {"LLC-loads", "l2_cache_miss"},
    {"dTLB-load-misses", "dtlb_load_miss"},
    {"dTLB-loads", "memory_loads"},
    {"dTLB-store-misses", "dtlb_stor_miss"},
    {"dTLB-stores", "memory_stores"},
    {"iTLB-load-misses", "itlb_miss"},
    {"instructions", "instr_retired"},
    {"cache-misses", "l3_cache_miss"},
    {"cache-references", "l2_cache_miss"},
    {"branches", "branch_retired"},
    {"branch-instructions", "branch_retired"},
    {"branch-misses", "branch_mispredict"},
    {"branch-load-misses", "branch_mispredict"},
    {"branch-loads", "branch_retired"},
});

std::string hint_for(std::string_view name, const std::vector<std::string_view>& known) {
  if (std::string_view own = own_name(name); !own.empty()) return fmt::format("; the name here is '{}'", own);
  if (name.starts_with("intel_cqm/"))
    return "; `hardmeter llc` shows who holds the last-level cache, and the memory bandwidth";
  if (name.find('/') != std::string_view::npos)
    return "; perf's PMU/EVENT/ is not read here, and rHEX is a raw event of the CPU";
  NearestWord nearest(name, name.size() / 2 + 1);
  for (std::string_view each : known) nearest.consider(each);
  return nearest.found().empty() ? "" : fmt::format("; the nearest is '{}'", nearest.found());
}

}  // namespace

std::string_view own_name(std::string_view perf_name) {
  std::string_view bare = perf_name.substr(0, perf_name.find(':'));
  for (auto [perfs, ours] : kPerfNames) {
    if (perfs == bare) return ours;
  }
  return {};
}

Error unknown_event(std::string_view name, const std::vector<std::string_view>& known) {
  return make_error(ErrorCode::kInvalidArgument, "unknown event '{}'{} (`hardmeter list` shows all)", name,
                    hint_for(name, known));
}

}  // namespace hm::event
