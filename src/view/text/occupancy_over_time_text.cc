// SPDX-License-Identifier: MIT
#include "view/text/occupancy_over_time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "symbol/display_name.h"
#include "view/text/format.h"
#include "view/text/timeline_words.h"

namespace hm::text {
namespace {

using occupancy::Contention;
using occupancy::Held;
using occupancy::OverTime;

constexpr size_t kMaxContentions = 5;

std::string share_of_cache(double bytes, const OverTime& over) {
  return over.cache_bytes == 0 ? kNotMeasured : percent(bytes / static_cast<double>(over.cache_bytes));
}

// Returns a shade for each cell: the part of the cache, or, if the cache size is unknown, the part of the
// largest occupancy. '?' means not measured.
std::string cells_of(const Held& held, double most) {
  std::string cells;
  for (const std::optional<double>& each : held.cells) cells += each ? shade_of(*each, most) : '?';
  return cells;
}

std::vector<std::string> cells_of_row(const Held& held, const OverTime& over, double most) {
  if (!held.mean_bytes)
    return {kNotMeasured, kNotMeasured,         kNotMeasured,        kNotMeasured,
            kNotMeasured, cells_of(held, most), printable(held.name)};
  return {bytes_text(*held.mean_bytes),
          share_of_cache(*held.mean_bytes, over),
          bytes_text(static_cast<double>(*held.max_bytes)),
          duration_text(static_cast<double>(held.max_at_ns)),
          held.mean_bytes_per_s ? bytes_text(*held.mean_bytes_per_s) : kNotMeasured,
          cells_of(held, most),
          printable(held.name)};
}

// Returns for example "3.1 times as often (2.8 to 3.5)".
std::string often(const occupancy::Ratio& ratio) {
  return fmt::format("{:.1f} times as often ({:.1f} to {:.1f})", ratio.value, ratio.low, ratio.high);
}

std::string heading_of(const OverTime& over) {
  size_t readings = 0;
  for (const Held& each : over.held) readings = std::max(readings, each.readings);
  std::string cache = over.cache_bytes == 0 ? "last-level cache, of unknown size,"
                                            : fmt::format("{} of last-level cache",
                                                          bytes_text(static_cast<double>(over.cache_bytes)));
  return fmt::format("# who held {}{}: {} in {}\n", over.is_modelled ? "the modelled " : "the ", cache,
                     count_of(readings, "reading", "readings"),
                     duration_text(static_cast<double>(over.end_ns - over.begin_ns)));
}

// Returns the masks for `hardmeter llc --ways`: one per program, in their order. 0 leaves a program's mask
// unchanged.
std::string masks_of_all(const OverTime& over, const Contention& found) {
  std::string masks;
  for (size_t i = 0; i < over.held.size(); ++i) {
    uint64_t mask = i == found.victim      ? found.split->victim_ways
                    : i == found.neighbour ? found.split->neighbour_ways
                                           : 0;
    masks += fmt::format("{}{:x}", i == 0 ? "" : ",", mask);
  }
  return masks;
}

std::string predicted_words(const std::string& name,
                            const std::optional<occupancy::PredictedMisses>& misses) {
  if (!misses) return "";
  std::string crowded = fmt::format("{:.2f}", misses->crowded_low);
  std::string high = fmt::format("{:.2f}", misses->crowded_high);
  if (high != crowded) crowded += " to " + high;
  return fmt::format(" Predicted misses of {}, of 1,000 accesses: {:.2f}, and with what it held {}.", name,
                     misses->divided, crowded);
}

// Returns how to divide the cache; empty if unknown.
std::string advice(const OverTime& over, const Contention& found, const std::string& victim,
                   const std::string& neighbour) {
  if (!found.split) return "";
  const occupancy::Split& split = *found.split;
  return fmt::format(
      " To divide the cache: ways {:x} for {} and {:x} for {} (in resctrl's schemata L3:0={:x} and L3:0={:x}).{}{} `hardmeter llc --ways {}` tries that on a modelled cache, and with --apply on the processor's.",
      split.victim_ways, victim, split.neighbour_ways, neighbour, split.victim_ways, split.neighbour_ways,
      predicted_words(victim, split.victim), predicted_words(neighbour, split.neighbour),
      masks_of_all(over, found));
}

}  // namespace

std::string contention_sentences(const OverTime& over, const Contention& found) {
  std::string victim = printable(over.held[found.victim].short_name),
              neighbour = printable(over.held[found.neighbour].short_name);
  std::string where =
      found.function_ratio
          ? fmt::format("{} ({}), {:.1f} times", symbol::display_name(found.function), found.dso,
                        *found.function_ratio)
          : fmt::format("{} ({}), which had none otherwise", symbol::display_name(found.function), found.dso);
  return fmt::format(
      "{} crowded {} out: while it held {} of the cache or more (longest from {} to {}; {} on average), {} of {} came {}, most of all in {}. {} held {} then, and {} otherwise.{}",
      neighbour, victim, percent(found.much_share),
      duration_text(static_cast<double>(found.longest_begin_ns)),
      duration_text(static_cast<double>(found.longest_end_ns)), percent(found.neighbour_share), found.event,
      victim, often(found.ratio), where, victim, percent(found.victim_share_then),
      percent(found.victim_share_else), advice(over, found, victim, neighbour));
}

std::string occupancy_over_time(const OverTime& over, const Style& style) {
  double most = static_cast<double>(over.cache_bytes);
  for (const Held& each : over.held) {
    if (over.cache_bytes == 0 && each.max_bytes) most = std::max(most, static_cast<double>(*each.max_bytes));
  }
  Table table({{"MEAN"},
               {"SHARE"},
               {"MOST"},
               {"AT", Align::kRight, Presence::kOptional},
               {"MEMORY/s", Align::kRight, Presence::kOptional},
               {"OVER TIME", Align::kLeft, Presence::kOptional},
               {"NAME", Align::kLeft}});
  std::vector<const Held*> rows;
  for (const Held& each : over.held) rows.push_back(&each);
  std::ranges::stable_sort(rows, std::greater(), &Held::mean_bytes);
  for (const Held* each : rows) table.add(cells_of_row(*each, over, most));
  return heading_of(over) + table.render(style) + contention_lines(over, style);
}

std::string occupancy_lanes(const OverTime& over, const Style& style) {
  constexpr double kMinShare = 0.01;
  auto cache = static_cast<double>(over.cache_bytes);
  std::string text = over.is_modelled ? "the modelled last-level cache, from . to @, which is all of it:\n"
                                      : "the last-level cache, from . to @, which is all of it:\n";
  for (const Held& each : over.held) {
    if (!each.max_bytes || static_cast<double>(*each.max_bytes) < kMinShare * cache) continue;
    text += lane_name(printable(each.name)) + cells_of(each, cache) + "|\n";
  }
  return text + contention_lines(over, style);
}

std::string contention_lines(const OverTime& over, const Style& style) {
  std::string text;
  for (size_t i = 0; i < std::min(over.contentions.size(), kMaxContentions); ++i)
    text += '\n' + wrapped(contention_sentences(over, over.contentions[i]), style.width, 2) + '\n';
  return text;
}

}  // namespace hm::text
