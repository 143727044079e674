// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_description.h"

#include <fmt/format.h>

#include "app/measure/soft/burst_errors.h"
#include "event/event_template.h"
#include "pmu/soft/launcher/burst_estimate.h"
#include "view/text/format.h"

namespace hm::measure {
namespace {

// More than the profile needs (profile/clusters.h), because a recording in several files divides them.
constexpr size_t kPartsOfBursts = 256;

nlohmann::json or_null(std::optional<double> value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

// Returns the length of the bursts, or its range if they became longer.
std::string burst_lengths(uint64_t first, uint64_t longest) {
  return text::grouped(first) + (longest <= first ? "" : " to " + text::grouped(longest));
}

}  // namespace

// Before the run, returns true if bursts are planned: a recording that is cut off must not appear exact.
bool was_in_bursts(const SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  bool all_counted = totals.slots != 0 && soft::BurstEstimate(totals).is_exact();
  return result.bursts.slots != 0 && (result.bursts.exact_slots == 0 || !all_counted);
}

std::string describe_bursts(const SoftResult& result) {
  if (result.bursts.slots == 0) return {};
  const soft::Totals& totals = result.run.totals;
  std::string first = text::grouped(result.bursts.exact_slots) + " instructions and data accesses";
  if (totals.slots == 0) return "none: nothing has been measured";
  if (!was_in_bursts(result))
    return fmt::format("none: the program ended within {}, so it was measured exactly", first);
  std::string exactly = result.bursts.exact_slots == 0 ? "" : fmt::format("the first {} exactly; ", first);
  if (totals.bursts.bursts() == 0 && result.of_running_processes)
    return "no burst: the measurement was too short to estimate misses; measure for longer";
  if (totals.bursts.bursts() == 0 && exactly.empty())
    return "no burst: the program ended too early to estimate its misses; --detail exact measures the whole program";
  if (totals.bursts.bursts() == 0)
    return exactly +
           "no burst in the rest, which was short and is assumed to behave like the part that was measured exactly";
  double part = static_cast<double>(soft::BurstEstimate(totals).slots_in_bursts()) /
                static_cast<double>(totals.slots - totals.exact.slots);
  return fmt::format(
      "{}{} of {} instructions and data accesses, {:.2f} % of {}; counts are estimates, with 95 % intervals; functions with less than {:.2g} % of the instructions may be missing",
      exactly, text::count_of(totals.bursts.bursts(), "burst", "bursts"),
      burst_lengths(result.bursts.slots, totals.longest_burst), 100 * part,
      exactly.empty() ? "all" : "the rest", 100 * unseen_share(totals, result.in_episodes));
}

std::string describe_budget(const SoftResult& result) {
  constexpr double kNsPerSecond = 1e9;
  const soft::EpisodeTotals& episodes = result.run.episodes;
  if (episodes.count == 0) return {};
  std::string text = fmt::format("{}, {:.2f} s in all", text::count_of(episodes.count, "episode", "episodes"),
                                 static_cast<double>(episodes.measured_ns) / kNsPerSecond);
  if (episodes.cpu.targets_ns == 0) return text + "; the processes used no CPU time";
  return text +
         fmt::format(
             "; cost at most {:.1f} % of the {:.2f} s of CPU time that the processes took (budget {:g} %), including hardmeter's own {:.2f} s; L2 and L3 misses may be overestimated, because the contents of these caches at the beginning of an episode are unknown",
             100 * episodes.cost, static_cast<double>(episodes.cpu.targets_ns) / kNsPerSecond,
             100 * episodes.budget, static_cast<double>(episodes.cpu.own_ns) / kNsPerSecond);
}

nlohmann::json bursts_json(const SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  nlohmann::json json{{"count", totals.bursts.bursts()},           {"slots", result.bursts.slots},
                      {"gap_slots", result.bursts.gap_slots},      {"counted_slots", totals.counted.slots},
                      {"exact_slots", totals.exact.slots},         {"all_slots", totals.slots},
                      {"relative_error", nlohmann::json::object()}};
  BurstErrors errors(totals, result.in_episodes);
  for (event::EventId id : result.counted)
    json["relative_error"][event::event_template(id).name] = or_null(errors.of_total(id));
  json["wait_share_error"] = or_null(errors.of_wait_share());
  json["unseen_waits"] = or_null(errors.unseen_waits());
  json["unseen_share"] = unseen_share(totals, result.in_episodes);
  if (result.in_episodes) {
    json["episode_begins_ns"] = result.run.episodes.begins_ns;
    json["measured_ns"] = result.run.episodes.measured_ns;
  } else {
    json["part_begins_ns"] = totals.bursts.begins_of_parts(kPartsOfBursts);
  }
  return json;
}

uint64_t scaled(const SoftResult& result, uint64_t count) {
  return result.bursts.slots == 0 ? count : soft::BurstEstimate(result.run.totals).all(count, 0);
}

uint64_t total_of(const SoftResult& result, event::EventId id) {
  const soft::Totals& totals = result.run.totals;
  unsigned i = event::index_of(id);
  if (result.bursts.slots == 0) return totals.counted.events[i];
  return soft::BurstEstimate(totals).all(totals.counted.events[i], totals.exact.events[i]);
}

std::optional<uint64_t> estimated_ns(const SoftResult& result) {
  std::optional<uint64_t> cycles = cycles_of(result);
  if (!cycles || !result.costs || result.costs->ghz <= 0) return std::nullopt;
  return static_cast<uint64_t>(static_cast<double>(*cycles) / result.costs->ghz);
}

std::optional<uint64_t> cycles_of(const SoftResult& result) {
  if (result.models != soft::Models::kAll) return std::nullopt;
  const soft::Totals& totals = result.run.totals;
  if (result.bursts.slots == 0) return totals.counted.cycles;
  soft::BurstEstimate bursts(totals);
  if (bursts.knows_nothing()) return std::nullopt;
  return bursts.all(totals.counted.cycles, totals.exact.cycles);
}

}  // namespace hm::measure
