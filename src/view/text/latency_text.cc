// SPDX-License-Identifier: MIT
#include "view/text/latency_text.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/byte_size.h"
#include "view/text/format.h"
#include "view/text/log_plot.h"

namespace hm::text {
namespace {

using host::Estimate;
using host::LevelCost;
using host::MemoryCosts;

constexpr int kSmallColor = 36, kHugeColor = 33;  // SGR: cyan, yellow
constexpr double kClockVaries = 0.03;
constexpr double kStolenEnough = 0.01;

// Returns three significant digits: "1.08", "12.7", "152".
std::string digits(double value) {
  return value < 10    ? fmt::format("{:.2f}", value)
         : value < 100 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.0f}", value);
}

// Rounds to three digits, because a measured size is rarely a whole number of units: "5.3 MiB".
std::string about(uint64_t bytes) {
  auto kib = static_cast<double>(bytes) / 1024;
  return kib < 1024 ? fmt::format("{:.3g} KiB", kib) : fmt::format("{:.3g} MiB", kib / 1024);
}

std::string estimate_text(const std::optional<Estimate>& estimate) {
  if (!estimate) return "-";
  return fmt::format("{} ({}-{})", digits(estimate->value), digits(estimate->low), digits(estimate->high));
}

std::string size_text(const std::optional<uint64_t>& bytes, auto text) { return bytes ? text(*bytes) : "-"; }

bool clock_is_steady(const MemoryCosts& costs) {
  return costs.core_ghz && costs.core_ghz->high - costs.core_ghz->low <= kClockVaries * costs.core_ghz->value;
}

std::vector<std::string> row(const LevelCost& cost, const std::optional<double>& first_ns, bool cycles) {
  std::vector<std::string> cells{cost.name, size_text(cost.reported_bytes, byte_size_text)};
  if (!cost.found) {
    cells.insert(cells.end(), {"not seen", "-", "-", "-", "-", "-"});
    return cells;
  }
  const host::Level& level = *cost.found;
  cells.push_back(size_text(level.capacity_bytes, about));
  cells.push_back(estimate_text(cost.small_ns));
  cells.push_back(estimate_text(cost.huge_ns));
  cells.push_back(cycles ? digits(level.cycles.value) : "-");
  cells.push_back(first_ns ? digits(level.ns.value / *first_ns) : "-");
  cells.push_back(fmt::format("{} to {}", about(level.first_bytes), about(level.last_bytes)));
  return cells;
}

std::string table_of(const MemoryCosts& costs, const Style& style) {
  Table table({{"level", Align::kLeft},
               {"size told"},
               {"size found"},
               {"4 KiB pages, ns"},
               {"huge pages, ns"},
               {"cycles"},
               {"times L1"},
               {"measured at", Align::kRight, Presence::kOptional}});
  std::optional<double> first_ns;
  if (!costs.levels.empty() && costs.levels[0].found) first_ns = costs.levels[0].found->ns.value;
  for (const LevelCost& cost : costs.levels) table.add(row(cost, first_ns, clock_is_steady(costs)));
  return table.render(style);
}

PlotCurve plot_curve(std::string name, char letter, int color, const host::Curve& curve) {
  PlotCurve plot{std::move(name), letter, color, {}};
  for (const host::Point& point : curve) plot.points.emplace_back(point.size_bytes, point.ns.value);
  return plot;
}

std::string plot_of(const MemoryCosts& costs, const Style& style) {
  std::vector<PlotMark> marks;
  for (const LevelCost& cost : costs.levels) {
    if (cost.found && cost.found->capacity_bytes) marks.push_back({*cost.found->capacity_bytes, cost.name});
  }
  std::vector<PlotCurve> curves{plot_curve("4 KiB pages", 'o', kSmallColor, costs.sweep.small_pages)};
  if (costs.huge_pages) curves.push_back(plot_curve("huge pages", '*', kHugeColor, costs.sweep.huge_pages));
  return log_plot(curves, marks, " ns", style);
}

std::string page_note(const MemoryCosts& costs) {
  if (!costs.huge_pages) {
    std::string got = costs.sweep.huge_share ? percent(*costs.sweep.huge_share) : "an unknown part";
    return fmt::format(
        "the kernel granted {} of the requested memory as huge pages, too little for a comparison, so the latencies are those of 4 KiB pages and include TLB misses; /sys/kernel/mm/transparent_hugepage/enabled permits huge pages",
        got);
  }
  if (!costs.small_pages_suffice_to_bytes)
    return "4 KiB pages cost no more than huge ones, as far as was measured";
  return fmt::format("beyond {}, 4 KiB pages cost over a tenth more than huge ones: TLB misses",
                     about(*costs.small_pages_suffice_to_bytes));
}

void add_size_notes(const MemoryCosts& costs, std::vector<std::string>& notes) {
  for (const LevelCost& cost : costs.levels) {
    if (!cost.found)
      notes.push_back(fmt::format(
          "{}: the curve has no plateau at its sizes; others use the cache, or the measurement was disturbed",
          cost.name));
    if (!cost.found || !cost.found->capacity_bytes || !cost.reported_bytes) continue;
    double ratio =
        static_cast<double>(*cost.found->capacity_bytes) / static_cast<double>(*cost.reported_bytes);
    if (ratio > 2.0 / 3 && ratio < 1.5) continue;
    notes.push_back(fmt::format("{}: the system reports {}, the curve shows {}{}", cost.name,
                                byte_size_text(*cost.reported_bytes), about(*cost.found->capacity_bytes),
                                costs.virtual_machine
                                    ? "; this is a virtual machine, others may use the same cache"
                                    : "; others may use the same cache, or a part of it is reserved"));
  }
}

void add_disturbance_notes(const MemoryCosts& costs, std::vector<std::string>& notes) {
  const host::Sweep& sweep = costs.sweep;
  size_t points = sweep.small_pages.size() + sweep.huge_pages.size();
  if (costs.unsteady_points > 0) {
    notes.push_back(fmt::format(
        "disturbed: {} of {} points vary by more than a fifth between repetitions; levels omit them",
        costs.unsteady_points, points));
  }
  if (sweep.disturbance.preemptions > 0) {
    notes.push_back(fmt::format("other threads ran on CPU {} {} during the measurement", sweep.cpu,
                                count_of(sweep.disturbance.preemptions, "time", "times")));
  }
  if (sweep.disturbance.stolen_share.value_or(0) >= kStolenEnough) {
    notes.push_back(
        fmt::format("the hypervisor took {} of the time", percent(*sweep.disturbance.stolen_share)));
  }
  if (costs.core_ghz && !clock_is_steady(costs)) {
    notes.push_back(fmt::format("the core's clock varied from {:.2f} to {:.2f} GHz: no cycles are given",
                                costs.core_ghz->low, costs.core_ghz->high));
  }
}

void add_end_notes(const MemoryCosts& costs, std::vector<std::string>& notes) {
  if (costs.sweep.small_pages.empty()) {
    notes.emplace_back("interrupted before the first size was measured");
    return;
  }
  std::string last = about(costs.sweep.small_pages.back().size_bytes);
  if (costs.sweep.interrupted)
    notes.push_back(fmt::format("interrupted: nothing beyond {} was measured", last));
  if (costs.rises_at_end)
    notes.push_back(fmt::format("the curve still rises at {}: a larger --max-size shows more", last));
}

std::string notes_of(const MemoryCosts& costs) {
  std::vector<std::string> notes;
  if (!costs.sweep.small_pages.empty()) notes.push_back(page_note(costs));
  add_size_notes(costs, notes);
  add_disturbance_notes(costs, notes);
  add_end_notes(costs, notes);
  std::string out;
  for (const std::string& note : notes) out += fmt::format("# {}\n", note);
  return out;
}

std::string header(const MemoryCosts& costs) {
  std::string clock = clock_is_steady(costs) ? fmt::format(" at {:.2f} GHz", costs.core_ghz->value) : "";
  return fmt::format(
      "# latency of dependent loads on CPU {}{}\n# median (and its 95 % interval) over the sizes that show a level; measured in {:.1f} s\n",
      costs.sweep.cpu, clock, static_cast<double>(costs.sweep.elapsed_ns) / 1e9);
}

}  // namespace

std::string latency_report(const MemoryCosts& costs, const Style& style) {
  return fmt::format("{}{}\n{}\n{}", header(costs), table_of(costs, style), plot_of(costs, style),
                     notes_of(costs));
}

}  // namespace hm::text
