// SPDX-License-Identifier: MIT
#include "event/perf_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

// True if the name contains the parts of `word`, which are separated by _ or -, in their order: l1_cache_miss
// contains those of l1-miss.
bool contains_parts(std::string_view name, std::string_view word) {
  constexpr size_t kLeast = 2;  // letters
  size_t from = 0;
  while (!word.empty()) {
    std::string_view part = word.substr(0, word.find_first_of("_-"));
    size_t found = name.find(part, from);
    if (part.size() < kLeast || found == std::string_view::npos) return false;
    from = found + part.size();
    word.remove_prefix(std::min(word.size(), part.size() + 1));
  }
  return from != 0;
}

std::string nearest_to(std::string_view name, const std::vector<std::string_view>& known) {
  constexpr size_t kMost = 4;
  std::vector<std::string> near;
  for (std::string_view each : known) {
    if (contains_parts(each, name)) near.push_back(fmt::format("'{}'", each));
  }
  if (near.size() > kMost) {
    size_t more = near.size() - kMost;
    near.resize(kMost);
    return fmt::format("; near are {} and {} more", fmt::join(near, ", "), more);
  }
  if (near.size() > 1) return fmt::format("; near are {}", fmt::join(near, ", "));
  NearestWord nearest(name, name.size() / 2 + 1);
  for (std::string_view each : known) nearest.consider(each);
  std::string one = near.size() == 1 ? near[0] : fmt::format("'{}'", nearest.found());
  return one.size() <= 2 ? "" : fmt::format("; the nearest is {}", one);
}

std::string hint_for(std::string_view name, const std::vector<std::string_view>& known) {
  if (std::string_view own = own_name(name); !own.empty()) return fmt::format("; the name here is '{}'", own);
  if (name.starts_with("intel_cqm/"))
    return "; `hardmeter llc` shows who holds the last-level cache, and the memory bandwidth";
  if (name.find('/') != std::string_view::npos)
    return "; perf's PMU/EVENT/ is not read here, and rHEX is a raw event of the CPU";
  return nearest_to(name, known);
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
