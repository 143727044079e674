// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_description.h"

#include <fmt/format.h>

#include "app/measure/soft/burst_errors.h"
#include "event/event_template.h"
#include "view/text/format.h"

namespace hm::measure {
namespace {

nlohmann::json or_null(std::optional<double> value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

}  // namespace

std::string describe_bursts(const SoftResult& result) {
  if (result.bursts.slots == 0) return {};
  const soft::Totals& totals = result.run.totals;
  if (totals.bursts.bursts == 0)
    return fmt::format(
        "no burst: the program ended too early, so nothing is known of its misses; --detail exact measures "
        "all of it");
  double part = static_cast<double>(totals.counted_slots) / static_cast<double>(totals.slots);
  return fmt::format(
      "{} of {} instructions and data accesses, {:.2f} % of all; counts are estimates, with 95 % intervals",
      text::count_of(totals.bursts.bursts, "burst", "bursts"), text::grouped(result.bursts.slots),
      100 * part);
}

std::string describe_budget(const SoftResult& result) {
  constexpr double kNsPerSecond = 1e9;
  const soft::EpisodeTotals& episodes = result.run.episodes;
  if (episodes.count == 0) return {};
  std::string text = fmt::format("{}, {:.2f} s in all", text::count_of(episodes.count, "episode", "episodes"),
                                 static_cast<double>(episodes.measured_ns) / kNsPerSecond);
  if (episodes.cpu.targets_ns == 0) return text + "; the processes took no CPU time";
  return text +
         fmt::format(
             "; cost at most {:.1f} % of the {:.2f} s of CPU time that the processes took "
             "(budget {:g} %), hardmeter's own {:.2f} s among it; L2 and L3 misses may be too many, as "
             "what these held when an episode began is not known",
             100 * episodes.cost, static_cast<double>(episodes.cpu.targets_ns) / kNsPerSecond,
             100 * episodes.budget, static_cast<double>(episodes.cpu.own_ns) / kNsPerSecond);
}

nlohmann::json bursts_json(const SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  nlohmann::json json{{"count", totals.bursts.bursts},
                      {"slots", result.bursts.slots},
                      {"gap_slots", result.bursts.gap_slots},
                      {"counted_slots", totals.counted_slots},
                      {"all_slots", totals.slots},
                      {"relative_error", nlohmann::json::object()}};
  for (event::EventId id : result.counted)
    json["relative_error"][event::event_template(id).name] =
        or_null(relative_error(totals, id, result.in_episodes));
  return json;
}

uint64_t scaled(const SoftResult& result, uint64_t count) {
  const soft::Totals& totals = result.run.totals;
  if (result.bursts.slots == 0) return count;
  if (totals.counted_slots == 0) return 0;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(count) * totals.slots / totals.counted_slots);
}

uint64_t total_of(const SoftResult& result, event::EventId id) {
  return scaled(result, result.run.totals.counts[event::index_of(id)]);
}

std::optional<uint64_t> cycles_of(const SoftResult& result) {
  if (result.bursts.slots != 0 && result.run.totals.counted_slots == 0) return std::nullopt;
  return scaled(result, result.run.totals.cycles);
}

}  // namespace hm::measure
