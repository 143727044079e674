// SPDX-License-Identifier: MIT
#include "analysis/totals/verdict.h"

#include <algorithm>
#include <array>
#include <functional>

#include "analysis/totals/counting.h"
#include "record/cpu_use.h"
#include "record/run_description.h"

namespace hm::totals {
namespace {

constexpr std::array kPartsOfMemory{CyclePart{"l2_wait", "L2"}, CyclePart{"l3_wait", "L3"},
                                    CyclePart{"dram_wait", "memory"}, CyclePart{"peer_wait", "other cores"},
                                    CyclePart{"tlb_wait", "TLB"}};
constexpr std::array kLevels{std::pair{"l1_cache_miss", "L1"}, std::pair{"l2_cache_miss", "L2"},
                             std::pair{"l3_cache_miss", "L3"}};

// The counts of a run, from whatever holds them.
struct Counts {
  std::function<std::optional<double>(std::string_view)> of;  // by event; nullopt if not counted
  std::function<std::optional<double>(std::string_view)> relative_error;
  std::optional<uint64_t> cycles;
  bool in_bursts = false;
  std::optional<double> wait_share_error;  // nullopt: only the waits' own error is known
  std::optional<double> unseen_waits;
};

void add_rates_to(Verdict& verdict, const Counts& counts) {
  std::optional<double> instructions = counts.of("instr_retired");
  if (!instructions || *instructions <= 0) return;
  verdict.instructions_per_cycle = *instructions / static_cast<double>(*counts.cycles);
  for (auto [event, level] : kLevels) {
    bool is_known = !counts.in_bursts || counts.relative_error(event);
    if (auto misses = counts.of(event); misses && is_known)
      verdict.misses.push_back({level, 1000 * *misses / *instructions});
  }
}

std::optional<Verdict> find(const Counts& counts) {
  std::optional<double> memory = counts.of("memory_wait");
  if (!memory || counts.cycles.value_or(0) == 0) return std::nullopt;
  auto cycles = static_cast<double>(*counts.cycles);
  const auto share = [&](std::string_view event) -> std::optional<double> {
    std::optional<double> count = counts.of(event);
    return count ? std::optional(std::min(*count / cycles, 1.0)) : std::nullopt;
  };
  Verdict verdict;
  verdict.memory = std::min(*memory / cycles, 1.0);
  verdict.in_bursts = counts.in_bursts;
  if (auto error = counts.relative_error("memory_wait"))
    verdict.error = counts.wait_share_error.value_or(verdict.memory * *error);
  constexpr double kMaxError = 0.5;  // an interval of all shares says nothing
  if (verdict.in_bursts && !verdict.error) verdict.unseen = counts.unseen_waits;
  if (verdict.in_bursts && verdict.error.value_or(verdict.unseen.value_or(1)) > kMaxError)
    return std::nullopt;
  for (CyclePart part : kPartsOfMemory) {
    part.share = share(part.event).value_or(0);
    if (part.share > 0) verdict.of_memory.push_back(part);
  }
  std::ranges::stable_sort(verdict.of_memory, std::ranges::greater{}, &CyclePart::share);
  verdict.fetch = share("fetch_wait");
  verdict.branches = share("branch_wait");
  add_rates_to(verdict, counts);
  return verdict;
}

std::optional<double> unseen_kernel(const std::optional<record::CpuUse>& use) {
  if (!use || use->kernel_measured) return std::nullopt;
  constexpr uint64_t kFewestNs = 50'000'000;  // the kernel counts in ticks of some milliseconds
  return use->time.sum_ns() < kFewestNs ? std::nullopt : std::optional(use->time.kernel_share());
}

template <typename Map>
auto value_in(const Map& map) {
  return [&map](std::string_view name) -> std::optional<double> {
    auto found = map.find(std::string(name));
    return found == map.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
  };
}

}  // namespace

std::optional<Verdict> find_verdict(const profile::Profile& profile) {
  profile::Origin origin = profile.origin();
  bool runs = !origin.cycles && origin.cycles_so_far;
  std::optional<Verdict> verdict =
      find({value_in(runs ? origin.totals_so_far : origin.totals), value_in(origin.relative_errors),
            runs ? origin.cycles_so_far : origin.cycles, origin.in_bursts, origin.wait_share_error,
            origin.unseen_waits});
  if (!verdict || origin.has_few_bursts()) return std::nullopt;
  verdict->unseen_kernel = unseen_kernel(record::cpu_use_in(record::run_description(profile.features)));
  verdict->costs = origin.costs;
  return verdict;
}

std::optional<Verdict> find_verdict(const Counting& counting) {
  if (!counting.modelled) return std::nullopt;
  const auto event_named = [&](std::string_view name) {
    auto found = std::ranges::find(counting.totals.events, name, &EventTotal::name);
    return found == counting.totals.events.end() ? nullptr : &*found;
  };
  const auto count = [&](std::string_view name) -> std::optional<double> {
    const EventTotal* event = event_named(name);
    return event == nullptr ? std::nullopt : event->count.best();
  };
  const auto error = [&](std::string_view name) -> std::optional<double> {
    const EventTotal* event = event_named(name);
    return event == nullptr || !event->count.exact ? std::nullopt : event->count.exact->relative_error;
  };
  const EventTotal* memory = event_named("memory_wait");
  bool in_bursts = memory != nullptr && memory->count.exact && memory->count.exact->in_bursts;
  std::optional<Verdict> verdict =
      find({count, error, counting.modelled->cycles, in_bursts, counting.modelled->wait_share_error,
            counting.modelled->unseen_waits});
  if (!verdict) return std::nullopt;
  verdict->unseen_kernel = unseen_kernel(counting.cpu);
  verdict->costs = counting.modelled->costs;
  return verdict;
}

}  // namespace hm::totals
