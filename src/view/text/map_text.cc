// SPDX-License-Identifier: MIT
#include "view/text/map_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/byte_size.h"
#include "symbol/display_name.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kMaxRows = 32;  // more regions share rows

// Steps by the ways needed as a fraction of the ways available. The last step has no upper limit.
struct UpTo {
  double part;
  HeatStep step;
};
constexpr std::array kSteps{UpTo{0, {' ', " ", 0}},     UpTo{0.25, {'.', "·", 34}}, UpTo{0.5, {':', "░", 36}},
                            UpTo{0.75, {'-', "▒", 32}}, UpTo{1, {'=', "▓", 33}},    UpTo{2, {'#', "█", 31}},
                            UpTo{0, {'@', "█", 35}}};

const HeatStep& step_of(double part) {
  for (const UpTo& each : kSteps) {
    if (part <= each.part) return each.step;
  }
  return kSteps.back().step;
}

// Name of the unit of memory that regions consist of.
struct Units {
  const char* one;
  const char* many;
};
Units units_of(const map::Map& map) {
  return map.page_bytes == map.cache.line_bytes ? Units{"line", "lines"} : Units{"page", "pages"};
}

std::string ways_text(double ways) {
  return ways == static_cast<double>(static_cast<uint64_t>(ways)) ? fmt::format("{:.0f}", ways)
                                                                  : fmt::format("{:.1f}", ways);
}

std::string cell_of(const HeatStep& step, const Style& style) {
  std::string cell = heat_cell(step, style);
  return style.color && step.color != 0 ? fmt::format("\x1b[{}m{}\x1b[0m", step.color, cell) : cell;
}

std::string legend(const map::Map& map, const Style& style) {
  std::string out = fmt::format("ways needed, of {}:", map.cache.sets.ways);
  for (const HeatMeaning& each : heat_meanings(map))
    out += fmt::format("  {} {}", cell_of(*each.step, style), each.ways);
  return out + '\n';
}

std::string row_name(size_t first, size_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

std::string heat_map(const map::Map& map, const Style& style) {
  std::vector<HeatRow> rows = heat_rows(map, kMaxRows);
  size_t margin = std::max(std::string("region").size(), rows.back().name.size());
  std::string out = fmt::format("{:>{}} {:<{}}  mean\n", "region", margin, "", map.columns.size() + 2);
  const char* side = style.drawing ? "│" : "|";
  for (const HeatRow& row : rows) {
    std::string line = fmt::format("{:>{}} {}", row.name, margin, side);
    for (const HeatStep* cell : row.cells) line += cell_of(*cell, style);
    out += fmt::format("{}{}  {:.1f}\n", line, side, row.mean);
  }
  std::string end = time_text(static_cast<double>(map.end - map.begin), map.unit);
  size_t room = map.columns.size() > end.size() + 2 ? map.columns.size() - 2 : end.size();
  return out + fmt::format("{:{}}0 {:>{}}\n", "", margin + 2, end, room);
}

std::string regions_text(const map::Map& map) {
  bool by_set = map.page_bytes == map.cache.line_bytes;
  std::string regions =
      by_set ? fmt::format("{} sets, each a region", map.mean_ways.size())
             : fmt::format("{} {} by pages of {}", map.mean_ways.size(),
                           map.mean_ways.size() == 1 ? "region" : "regions", byte_size_text(map.page_bytes));
  return fmt::format("{}, {} addresses", regions, map.physical ? "physical" : "virtual");
}

std::string samples_text(const map::Map& map) {
  std::string samples = count_of(map.samples, "sample", "samples");
  std::string threads = count_of(map.threads, "thread", "threads");
  if (map.tlb_states != 0)
    return fmt::format("from {} in the TLBs, {}; by whom: from {} with an address, of {}",
                       map.tlb_complete ? "all pages" : "the most recent pages",
                       count_of(map.tlb_states, "time", "times"), samples, threads);
  return fmt::format("estimated from {} with an address, of {}; in use at a time: the last {}", samples,
                     threads, count_of(map.pages, units_of(map).one, units_of(map).many));
}

// Returns an empty text if all samples have an address.
std::string unseen_text(const map::Map& map) {
  if (map.others == 0) return {};
  return count_of(map.others, "sample", "samples") + " without an address: their accesses are unknown";
}

// Returns an empty text for a single process.
std::string processes_text(const map::Map& map) {
  if (map.processes < 2) return {};
  return fmt::format("{} as if in one such cache{}", count_of(map.processes, "process", "processes"),
                     map.physical ? "" : ", their pages apart; --pid chooses one");
}

std::string head(const map::Map& map) {
  std::string out = fmt::format("# {}; {}\n# {}\n", map_cache(map), regions_text(map), samples_text(map));
  for (const std::string& line : {processes_text(map), unseen_text(map)})
    out += line.empty() ? "" : "# " + line + '\n';
  return out + "#\n";
}

std::string pressure_text(const map::Map& map) {
  uint32_t ways = map.cache.sets.ways;
  if (map.pressure == map::Pressure::kFits)
    return fmt::format("fits: hardly any region needs more than {} ways\n", ways);
  return fmt::format(
      "{}: {} of the regions need more than {} ways: on average {:.1f} {} too many for their regions, {:.1f} too many for the cache\n",
      map.pressure == map::Pressure::kConflict ? "conflict" : "capacity", percent(map.crowded_regions), ways,
      map.excess, units_of(map).many, map.excess_if_even);
}

std::string removed_text(const profile::Share& removed) {
  return fmt::format("{} ({} to {}) fewer", percent(removed.value), percent(removed.low),
                     percent(removed.high));
}

// Lists the fraction of crowded-out samples that each remedy removes. Padding changes regions that follow
// virtual addresses; the kernel chooses those that follow physical addresses.
std::string remedy_text(const map::Map& map) {
  if (map.pressure != map::Pressure::kConflict || !map.spread.removed) return {};
  const char* unit = units_of(map).one;
  std::string out = fmt::format("what would help, of {} whose {} was evicted by crowding (estimates):\n",
                                count_of(map.spread.crowded_out, "sample", "samples"), unit);
  std::string title = map.physical ? "page colouring" : "padding";
  out += fmt::format("  {:<15} {}, if each {} were in the least crowded region\n", title,
                     removed_text(*map.spread.removed), unit);
  if (map.huge_pages && map.huge_pages->removed)
    out += fmt::format("  {:<15} {}, if each {} were in the region of its virtual address\n", "huge pages",
                       removed_text(*map.huge_pages->removed), unit);
  return out;
}

std::string named_lines(const char* title, const std::vector<map::Named>& rows, const Units& units) {
  std::string out;
  for (const map::Named& row : rows) {
    out += fmt::format("  {:<10} {:>6}  {} ({})\n", out.empty() ? title : "", percent(row.share),
                       printable(row.name), count_of(row.pages, units.one, units.many));
  }
  return out;
}

std::string crowded_text(const map::Map& map) {
  Units units = units_of(map);
  std::string out;
  for (const map::CrowdedRegion& region : map.crowded) {
    out += fmt::format(
        "\nregion {}: {:.1f} ways needed on average, {} at most; crowded for {} of the time, {}\n",
        region.region, region.ways, region.max_ways, percent(region.crowded),
        count_of(region.samples, "sample", "samples"));
    out += named_lines("objects", region.objects, units);
    out += named_lines("types", region.types, units);
    out += named_lines("functions", region.functions, units);
  }
  if (map.crowded.size() < map.all_crowded)
    out += fmt::format("\n# {}\n", count_of(map.all_crowded - map.crowded.size(), "more crowded region",
                                            "more crowded regions"));
  return out;
}

// The object that crowds the most crowded region, and the function that uses it.
std::string crowding_text(const map::CrowdedRegion& region) {
  if (region.objects.empty()) return {};
  const map::Named& object = region.objects.front();
  std::string function =
      region.functions.empty() ? "" : " in " + printable(symbol::display_name(region.functions.front().name));
  return fmt::format(", crowded by {}{} ({})", printable(object.name), function, percent(object.share));
}

}  // namespace

std::string heat_cell(const HeatStep& step, const Style& style) {
  // Without colour, the last two steps would look alike.
  bool draws = style.drawing && (style.color || &step != &kSteps.back().step);
  return draws ? step.drawn : std::string(1, step.letter);
}

std::vector<HeatRow> heat_rows(const map::Map& map, size_t max_rows) {
  size_t regions = map.mean_ways.size(), count = std::min(regions, std::max<size_t>(max_rows, 1));
  const auto first_of = [&](size_t row) { return row * regions / count; };
  std::vector<HeatRow> rows;
  for (size_t row = 0; row < count; ++row) {
    size_t first = first_of(row), end = first_of(row + 1);
    rows.push_back({row_name(first, end - 1), {}, 0});
    for (const map::Column& column : map.columns) {
      uint32_t most = 0;
      for (size_t region = first; region < end && !column.ways.empty(); ++region)
        most = std::max(most, column.ways[region]);
      rows.back().cells.push_back(&step_of(most / static_cast<double>(map.cache.sets.ways)));
    }
    rows.back().mean = *std::max_element(map.mean_ways.begin() + static_cast<ptrdiff_t>(first),
                                         map.mean_ways.begin() + static_cast<ptrdiff_t>(end));
  }
  return rows;
}

std::vector<HeatMeaning> heat_meanings(const map::Map& map) {
  std::vector<HeatMeaning> meanings;
  double ways = map.cache.sets.ways;
  for (size_t i = 1; i < kSteps.size(); ++i) {
    bool last = i + 1 == kSteps.size();
    meanings.push_back(
        {&kSteps[i].step, fmt::format("{} {}", last ? "over" : "to",
                                      ways_text(ways * (last ? kSteps[i - 1].part : kSteps[i].part)))});
  }
  return meanings;
}

std::string map_conclusion(const map::Map& map) {
  uint32_t ways = map.cache.sets.ways;
  if (map.pressure == map::Pressure::kFits)
    return fmt::format("No region is crowded: hardly any region needs more than {} ways.", ways);
  std::string begin = fmt::format("{}: {} of the regions need more than {} ways",
                                  map.pressure == map::Pressure::kConflict ? "Conflict" : "Too small",
                                  percent(map.crowded_regions), ways);
  if (map.crowded.empty()) return begin + ".";
  const map::CrowdedRegion& worst = map.crowded.front();
  return fmt::format("{}, most of all region {} ({:.1f}){}.", begin, worst.region, worst.ways,
                     crowding_text(worst));
}

std::string map_cache(const map::Map& map) {
  return fmt::format("{}: {}, {} ways, lines of {} bytes", map.cache.name, byte_size_text(map.cache.bytes()),
                     map.cache.sets.ways, map.cache.line_bytes);
}

std::string map_source(const map::Map& map) {
  std::string others = unseen_text(map);
  return fmt::format("{}; {}; {}{}{}", map_cache(map), regions_text(map), samples_text(map),
                     others.empty() ? "" : "; ", others);
}

std::string map_details(const map::Map& map) { return remedy_text(map) + crowded_text(map); }

std::string map_view(const map::Map& map, const Style& style) {
  return head(map) + heat_map(map, style) + legend(map, style) + '\n' + pressure_text(map) + map_details(map);
}

}  // namespace hm::text
