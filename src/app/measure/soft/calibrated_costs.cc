// SPDX-License-Identifier: MIT
#include "app/measure/soft/calibrated_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "host/calibration/saved_profile.h"
#include "model/geometry.h"
#include "model/outcome.h"

namespace hm::measure {
namespace {

constexpr int kLineBytes = 64;

// The walk of one stream with this stride; through pages of 4 KiB if it was measured, as most memory has
// these. Null if it was not measured.
const host::WalkProfile* walk_by(const host::MachineProfile& profile, int64_t stride_bytes) {
  const host::WalkProfile* found = nullptr;
  for (const host::WalkProfile& walk : profile.walks) {
    bool is_meant = walk.stride_bytes == stride_bytes && walk.streams == 1;
    if (is_meant && (found == nullptr || !walk.huge_pages)) found = &walk;
  }
  return found;
}

// Converts times of the profile to the parts of a cycle in which costs are given.
class Converter {
 public:
  explicit Converter(const host::MachineProfile& profile) : profile_(profile) {}

  [[nodiscard]] uint32_t cost(double ns) const {
    double parts = ns * profile_.core_ghz.value * model::Costs::kPerCycle;
    constexpr double kMost = 1 << 24;  // a quarter of a million cycles
    return static_cast<uint32_t>(std::lround(std::clamp(parts, 0.0, kMost)));
  }
  [[nodiscard]] uint32_t cost(const std::optional<host::Estimate>& measured, uint32_t assumed_cycles) const {
    return measured ? cost(measured->value) : assumed_cycles * model::Costs::kPerCycle;
  }

  [[nodiscard]] model::Costs::OfLevel level(const host::LevelProfile& of) const {
    const host::LevelProfile& first = profile_.levels.front();
    double delivery_ns = of.bandwidth ? kLineBytes / of.bandwidth->read.value : host::min_ns(of);
    return {.latency = cost(host::latency_ns(of) - host::latency_ns(first)),
            .overlapped = cost(host::min_ns(of) - host::min_ns(first)),
            .delivered = cost(delivery_ns),
            .store = cost(of.store_ns.value - first.store_ns.value)};
  }

  // The cost of a step of `lines` lines, beyond that of a hit of the first level. 0 if it was not measured,
  // or if no prefetcher hides a part of the memory's latency.
  [[nodiscard]] uint32_t step(int64_t lines) const {
    constexpr double kHidden = 0.9;
    const host::WalkProfile* walk = walk_by(profile_, lines * int64_t{kLineBytes});
    if (walk == nullptr || walk->ns.value > kHidden * host::latency_ns(profile_.levels.back())) return 0;
    return std::max(1u, cost(walk->ns.value - host::latency_ns(profile_.levels.front())));
  }

 private:
  const host::MachineProfile& profile_;
};

// Returns the profile's level that corresponds to a modelled level: the one of that name, else the slowest.
const host::LevelProfile& level_named(const host::MachineProfile& profile, std::string_view name) {
  auto found = std::ranges::find(profile.levels, name, &host::LevelProfile::name);
  return found == profile.levels.end() ? profile.levels.back() : *found;
}

// The costs of a hit in each quarter of the third level: as at the size that was measured, but with the
// latency of a chase that reuses lines after as many others. As many loads overlap.
void fill_quarters(const host::MachineProfile& profile, const Converter& convert, model::Costs& costs) {
  const model::Costs::OfLevel& level = costs.levels[static_cast<uint32_t>(model::Level::kL3)];
  const host::LevelProfile& measured = level_named(profile, "L3");
  for (size_t i = 0; i < std::size(costs.l3_quarters); ++i) {
    costs.l3_quarters[i] = level;
    if (i >= measured.by_size.size() || measured.name != "L3") continue;
    constexpr double kMost = 100;
    double slower = std::min(measured.by_size[i].ns.value / host::latency_ns(measured), kMost);
    if (slower <= 1) continue;
    costs.l3_quarters[i].latency =
        convert.cost(measured.by_size[i].ns.value - host::latency_ns(profile.levels.front()));
    costs.l3_quarters[i].overlapped = static_cast<uint32_t>(std::lround(level.overlapped * slower));
    costs.l3_quarters[i].store = static_cast<uint32_t>(std::lround(level.store * slower));
  }
}

// Returns whether prefetchers follow a walk into the next 4 KiB page: else a page of 64 lines costs at least
// one latency more than in a huge page. Assumed if it was not measured.
bool crosses_pages(const host::MachineProfile& profile) {
  const host::WalkProfile *small = nullptr, *huge = nullptr;
  for (const host::WalkProfile& walk : profile.walks) {
    if (walk.stride_bytes == 64 && walk.streams == 1) (walk.huge_pages ? huge : small) = &walk;
  }
  if (small == nullptr || huge == nullptr) return true;
  return small->ns.value - huge->ns.value < host::latency_ns(profile.levels.back()) / 64 / 2;
}

// An instruction with a data access has two slots: a third of all is assumed.
uint32_t window_slots(const host::MachineProfile& profile) {
  constexpr double kLeast = 16, kMost = 4096, kSlotsPerInstruction = 4.0 / 3;
  double slots = host::window_instructions(profile) * kSlotsPerInstruction;
  return static_cast<uint32_t>(std::lround(std::clamp(slots, kLeast, kMost)));
}

uint32_t per_cycle(double rate) {
  return std::max(1u, static_cast<uint32_t>(std::lround(model::Costs::kPerCycle / rate)));
}

// Units for loads, stores and vector registers are those of most current cores (AMD's Zen 3 to 5, Intel's
// Golden Cove): they were not measured.
model::Pipeline pipeline_of(const host::MachineProfile& profile) {
  constexpr double kLoads = 3, kStores = 2, kVectors = 4, kVectorLoadMore = 3;
  constexpr double kMaxCycles = 64;
  double l1_cycles = std::min(host::latency_ns(profile.levels.front()) * profile.core_ghz.value, kMaxCycles);
  return {.width = per_cycle(profile.instructions_per_cycle),
          .integer = per_cycle(profile.additions_per_cycle),
          .vector = per_cycle(kVectors),
          .load = per_cycle(kLoads),
          .store = per_cycle(kStores),
          .taken_branch = model::Costs::kPerCycle,
          .l1_latency = per_cycle(1 / l1_cycles),
          .vector_load_more = per_cycle(1 / kVectorLoadMore),
          .window = static_cast<uint32_t>(std::clamp(host::window_instructions(profile), 16.0, 512.0))};
}

}  // namespace

CalibratedCosts calibrated_costs(const host::MachineProfile& profile) {
  Converter convert(profile);
  model::Latencies assumed;
  model::Costs costs;
  costs.slot = per_cycle(profile.additions_per_cycle);
  costs.pipeline = pipeline_of(profile);
  constexpr std::array kNames{"L1", "L2", "L3", "memory"};
  for (size_t i = 1; i < kNames.size(); ++i) costs.levels[i] = convert.level(level_named(profile, kNames[i]));
  fill_quarters(profile, convert, costs);
  costs.second_tlb = convert.cost(profile.second_tlb_ns, assumed.second_tlb);
  costs.page_walk = convert.cost(profile.page_walk_ns, assumed.page_walk);
  costs.transferred = convert.cost(profile.modified_line_ns, assumed.l3);
  costs.window_slots = window_slots(profile);
  costs.mispredict = convert.cost(profile.hazards.mispredicted_branch_ns.value);
  for (uint32_t i = 0; i < model::Costs::kSteps; ++i) costs.followed[i] = convert.step(int64_t{1} << i);
  // With a distance of 64, the lines are in a few sets only.
  if (uint32_t spread = convert.step(model::Costs::kLongestStep); spread != 0)
    costs.followed[model::Costs::kSteps - 1] = spread;
  costs.crosses_pages = crosses_pages(profile);
  std::string description = fmt::format(
      "estimated time on {} at {:.2f} GHz, calibrated on {}: misses overlap and prefetchers hide walks as measured there; instructions without misses take what their dependences and units allow",
      profile.cpu_name.empty() ? profile.cpu_id : profile.cpu_name, profile.core_ghz.value,
      profile.date.substr(0, 10));
  return {costs, std::move(description), profile.core_ghz.value, false};
}

Result<CalibratedCosts> find_calibrated_costs(const std::string& as) {
  std::string path = as == "host" ? host::saved_profile_path() : as;
  Result<host::MachineProfile> profile = host::read_profile(path);
  if (!profile && profile.error().code == ErrorCode::kNotFound && as == "host")
    return make_error(ErrorCode::kNotFound,
                      "--as host: this machine is not calibrated; run hardmeter calibrate");
  if (!profile) return make_error(profile.error().code, "--as {}: {}", as, profile.error().message);
  std::optional<std::string> other = as == "host" ? host::mismatch(*profile) : std::nullopt;
  if (other) return make_error(ErrorCode::kInvalidArgument, "--as host: {}", *other);
  return calibrated_costs(*profile);
}

}  // namespace hm::measure
