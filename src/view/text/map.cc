// SPDX-License-Identifier: MIT
#include "view/text/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/byte_size.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kMostRows = 32;  // more regions share rows

// A step of the heat map: ways needed as a fraction of the ways available. The last step has no upper limit.
struct Step {
  double up_to;
  char letter;
  const char* drawn;
  int color;  // SGR
};
constexpr std::array kSteps{Step{0, ' ', " ", 0},     Step{0.25, '.', "·", 34}, Step{0.5, ':', "░", 36},
                            Step{0.75, '-', "▒", 32}, Step{1, '=', "▓", 33},    Step{2, '#', "█", 31},
                            Step{0, '@', "█", 35}};

const Step& step_of(double part) {
  for (const Step& step : kSteps) {
    if (part <= step.up_to) return step;
  }
  return kSteps.back();
}

std::string cell_of(const Step& step, const Style& style) {
  std::string cell = style.drawing ? step.drawn : std::string(1, step.letter);
  return style.color && step.color != 0 ? fmt::format("\x1b[{}m{}\x1b[0m", step.color, cell) : cell;
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

std::string legend(const map::Map& map, const Style& style) {
  std::string out = fmt::format("ways needed, of {}:", map.cache.sets.ways);
  double ways = map.cache.sets.ways;
  for (size_t i = 1; i < kSteps.size(); ++i) {
    bool last = i + 1 == kSteps.size();
    out += fmt::format("  {} {} {}", cell_of(kSteps[i], style), last ? "over" : "to",
                       ways_text(ways * (last ? kSteps[i - 1].up_to : kSteps[i].up_to)));
  }
  return out + '\n';
}

std::string row_name(size_t first, size_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

// A row of several regions shows the one that needs the most ways.
std::string heat_map(const map::Map& map, const Style& style) {
  size_t regions = map.mean_ways.size();
  size_t rows = std::min(regions, kMostRows);
  const auto first_of = [&](size_t row) { return row * regions / rows; };
  size_t margin = std::max(std::string("region").size(), row_name(first_of(rows - 1), regions - 1).size());
  std::string out = fmt::format("{:>{}} {:<{}}  mean\n", "region", margin, "", map.columns.size() + 2);
  const char* side = style.drawing ? "│" : "|";
  for (size_t row = 0; row < rows; ++row) {
    size_t first = first_of(row), end = first_of(row + 1);
    std::string line = fmt::format("{:>{}} {}", row_name(first, end - 1), margin, side);
    for (const map::Column& column : map.columns) {
      uint32_t most = 0;
      for (size_t region = first; region < end && !column.ways.empty(); ++region)
        most = std::max(most, column.ways[region]);
      line += cell_of(step_of(most / static_cast<double>(map.cache.sets.ways)), style);
    }
    double mean = *std::max_element(map.mean_ways.begin() + static_cast<ptrdiff_t>(first),
                                    map.mean_ways.begin() + static_cast<ptrdiff_t>(end));
    out += fmt::format("{}{}  {:.1f}\n", line, side, mean);
  }
  std::string end = time_text(static_cast<double>(map.end - map.begin), map.unit);
  size_t room = map.columns.size() > end.size() + 2 ? map.columns.size() - 2 : end.size();
  return out + fmt::format("{:{}}0 {:>{}}\n", "", margin + 2, end, room);
}

std::string head(const map::Map& map) {
  bool by_set = map.page_bytes == map.cache.line_bytes;
  Units units = units_of(map);
  const char* addresses = map.physical ? "physical" : "virtual";
  std::string regions =
      by_set ? fmt::format("{} sets, each a region", map.mean_ways.size())
             : fmt::format("{} {} by pages of {}", map.mean_ways.size(),
                           map.mean_ways.size() == 1 ? "region" : "regions", byte_size_text(map.page_bytes));
  std::string out = fmt::format("# {}: {}, {} ways, lines of {} bytes; {}, {} addresses\n", map.cache.name,
                                byte_size_text(map.cache.bytes()), map.cache.sets.ways, map.cache.line_bytes,
                                regions, addresses);
  std::string samples = count_of(map.samples, "sample", "samples");
  std::string threads = count_of(map.threads, "thread", "threads");
  if (map.tlb_states != 0)
    out += fmt::format("# from {} that the TLBs held, {}; by whom: from {} with an address, of {}\n",
                       map.tlb_complete ? "all pages" : "the most recent pages",
                       count_of(map.tlb_states, "time", "times"), samples, threads);
  else
    out += fmt::format("# estimated from {} with an address, of {}; in use at a time: the last {}\n", samples,
                       threads, count_of(map.pages, units.one, units.many));
  if (map.others != 0)
    out += fmt::format("# {} without an address: what they accessed is not seen\n",
                       count_of(map.others, "sample", "samples"));
  return out + "#\n";
}

std::string pressure_text(const map::Map& map) {
  uint32_t ways = map.cache.sets.ways;
  if (map.pressure == map::Pressure::kFits)
    return fmt::format("fits: hardly a region needs more than {} ways\n", ways);
  return fmt::format(
      "{}: {} of the regions need more than {} ways: on average {:.1f} {} too many for their regions, {:.1f} "
      "too many for the cache\n",
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
  std::string out = fmt::format("what would help, of {} whose {} was crowded out (estimates):\n",
                                count_of(map.spread.crowded_out, "sample", "samples"), unit);
  std::string title = map.physical ? "page colouring" : "padding";
  out += fmt::format("  {:<15} {}, if each {} went where least is needed\n", title,
                     removed_text(*map.spread.removed), unit);
  if (map.huge_pages && map.huge_pages->removed)
    out += fmt::format("  {:<15} {}, if each {} went where its virtual address says\n", "huge pages",
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
        region.region, region.ways, region.most_ways, percent(region.crowded),
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

}  // namespace

std::string map_view(const map::Map& map, const Style& style) {
  return head(map) + heat_map(map, style) + legend(map, style) + '\n' + pressure_text(map) +
         remedy_text(map) + crowded_text(map);
}

}  // namespace hm::text
