// SPDX-License-Identifier: MIT
#include "view/text/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kNameColumns = 18, kUsualColumns = 80, kFewestColumns = 10;
constexpr std::array kLetterColors{31, 32, 33, 34, 35, 36, 91, 92, 93, 94, 95, 96};  // SGR
constexpr size_t kLetters = 26;

std::string time_text(double ns) {
  return ns < 1e3   ? fmt::format("{:.0f} ns", ns)
         : ns < 1e6 ? fmt::format("{:.4g} us", ns / 1e3)
         : ns < 1e9 ? fmt::format("{:.4g} ms", ns / 1e6)
                    : fmt::format("{:.4g} s", ns / 1e9);
}

// Of the function in this column; the last column is that of all others.
std::string cell_of(size_t column, const std::vector<timeline::Function>& functions, const Style& style) {
  if (column >= functions.size() || column >= kLetters) return ".";
  if (functions[column].kind == timeline::Function::Kind::kUnknown) return "?";
  if (functions[column].kind == timeline::Function::Kind::kIdle) return "_";
  std::string letter(1, static_cast<char>('a' + column));
  return style.color ? fmt::format("\x1b[{}m{}\x1b[0m", kLetterColors[column % kLetterColors.size()], letter)
                     : letter;
}

std::string head(const timeline::Timeline& line) {
  std::string out =
      fmt::format("# time line of {}: from {} to {}, cells of {}, by {}\n", line.event,
                  time_text(static_cast<double>(line.begin_ns)), time_text(static_cast<double>(line.end_ns)),
                  time_text(static_cast<double>(line.bin_ns)), timeline::name_of(line.by));
  if (line.slowed)
    out += "# times are of the run under the software PMU, which slows some code more than other\n";
  out += fmt::format("# {}, one in {} of a thread", count_of(line.points.points, "sample", "samples"),
                     time_text(static_cast<double>(line.interval_ns)));
  if (line.points.branches == 0) return out + "; without branches: each stands for the time before it\n#\n";
  out += fmt::format("; {} of {} branches are new since the sample before; their times are estimated: {}\n",
                     grouped(line.points.new_branches), grouped(line.points.branches),
                     timeline::name_of(line.way));
  if (line.recorded != profile::RecordedHalf::kBoth)
    out += fmt::format("# {} alone were recorded; {} are inferred and count as branches\n",
                       line.recorded == profile::RecordedHalf::kCalls ? "calls" : "returns",
                       line.recorded == profile::RecordedHalf::kCalls ? "returns" : "calls");
  if (line.points.ambiguous != 0)
    out += fmt::format(
        "# of {} it cannot be told which are new, as the same ones run again and again: all count as new\n",
        count_of(line.points.ambiguous, "sample", "samples"));
  return out + "#\n";
}

std::string totals_text(const timeline::Timeline& line, const Style& style) {
  double all = line.other_ns;
  for (const timeline::Function& each : line.functions) all += each.ns;
  Table table(
      {{"", Align::kLeft}, {"time"}, {"share"}, {"function", Align::kLeft}, {"dso", Align::kLeft, true}});
  const auto add = [&](size_t column, double ns, const std::string& name, const std::string& dso) {
    table.add({cell_of(column, line.functions, Style{}), time_text(ns), percent(ns / std::max(all, 1.0)),
               name, dso});
  };
  for (size_t i = 0; i < line.functions.size(); ++i)
    add(i, line.functions[i].ns, printable(short_name(line.functions[i].name)),
        printable(line.functions[i].dso));
  if (line.other_ns > 0) add(line.functions.size(), line.other_ns, "(others)", "");
  double idle = 0;
  for (const timeline::Lane& lane : line.lanes) idle += lane.idle_ns.value_or(0);
  if (idle > 0) table.add({"", time_text(idle), "", "(idle: no sample came for long)", ""});
  return table.render(style);
}

// The column of the function with a letter that ran the longest; that of the others where none did.
size_t longest_named(const timeline::Bin& bin) {
  auto named = std::span(bin.ns).first(bin.ns.size() - 1);
  auto most = std::ranges::max_element(named);
  return most == named.end() || *most <= 0 ? named.size() : static_cast<size_t>(most - named.begin());
}

std::string row_name(const std::string& name) {
  std::string shown = elided(name, kNameColumns);
  return shown + std::string(kNameColumns - columns_of(shown), ' ') + " |";
}

// How much of an event was counted in each cell, beside the most in any.
std::string counts_text(const timeline::EventCount& event, const std::vector<double>& bins) {
  constexpr std::string_view kShades = ".:-=+*#%@";
  std::string out = row_name("  " + printable(event.event));
  for (double count : bins) {
    auto shade = static_cast<size_t>(count / event.most * static_cast<double>(kShades.size()));
    out += count <= 0 ? ' ' : kShades[std::min(shade, kShades.size() - 1)];
  }
  return out + "|\n";
}

std::string lane_text(const timeline::Timeline& line, const timeline::Lane& lane, const Style& style) {
  std::string out = row_name(printable(lane.name));
  for (const timeline::Bin& bin : lane.bins) {
    out += bin.ns.empty() ? " " : cell_of(longest_named(bin), line.functions, style);
  }
  out += "|\n";
  for (size_t i = 0; i < lane.counts.size(); ++i) out += counts_text(line.counts[i], lane.counts[i]);
  return out;
}

std::string counts_legend(const timeline::EventCount& event) {
  return fmt::format("# {}: {} counted; from . to @, which is {} in a cell\n", printable(event.event),
                     grouped(static_cast<uint64_t>(event.all)), grouped(static_cast<uint64_t>(event.most)));
}

std::string axis(const timeline::Timeline& line) {
  size_t cells = line.lanes.empty() ? 0 : line.lanes.front().bins.size();
  std::string begin = time_text(static_cast<double>(line.begin_ns)),
              end = time_text(static_cast<double>(line.end_ns));
  size_t room = cells > begin.size() ? cells - begin.size() : 0;
  return fmt::format("{:{}}{}{:>{}}\n", "", kNameColumns + 2, begin, end, std::max(room, end.size() + 1));
}

std::string during_text(const timeline::Unusual& unusual) {
  std::string name = printable(short_name(unusual.name));
  if (!unusual.is_event)
    return fmt::format("{} {} of the time (as long elsewhere: at most {})", name, percent(unusual.during),
                       percent(unusual.usual));
  return fmt::format("{} {} in a second (as long elsewhere: at most {})", name,
                     grouped(static_cast<uint64_t>(unusual.during)),
                     grouped(static_cast<uint64_t>(unusual.usual)));
}

std::string chance_text(double chance) {
  constexpr double kMostRuns = 1e9;
  return chance * kMostRuns <= 1 ? "by chance in fewer than 1 of 1,000,000,000 runs"
                                 : fmt::format("by chance in 1 of {} runs",
                                               grouped(static_cast<uint64_t>(std::llround(1 / chance))));
}

std::string episode_text(const timeline::Episode& episode, const Style& style) {
  constexpr size_t kMostNamed = 4;
  std::string out = fmt::format("{:.6f} s, for {}:", static_cast<double>(episode.begin_ns) / 1e9,
                                time_text(static_cast<double>(episode.end_ns - episode.begin_ns)));
  const auto named = std::min(kMostNamed, episode.unusual.size());
  for (size_t i = 0; i < named; ++i) out += (i == 0 ? " " : "; ") + during_text(episode.unusual[i]);
  if (named < episode.unusual.size()) out += fmt::format("; and {} more", episode.unusual.size() - named);
  out += "; in " + printable(episode.lanes.front());
  if (episode.lanes.size() > 1) out += fmt::format(" and {} more", episode.lanes.size() - 1);
  for (size_t i = 0; i < episode.before.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? "; before it " : ", ",
                       printable(short_name(episode.before[i].function)), percent(episode.before[i].share));
  }
  return wrapped(out + "; " + chance_text(episode.chance), style.width, 4) + '\n';
}

// The surest, in order of time.
std::string episodes_text(const std::vector<timeline::Episode>& all, const Style& style) {
  constexpr size_t kMostShown = 10;
  if (all.empty()) return "";
  std::vector<const timeline::Episode*> shown;
  for (const timeline::Episode& each : all) shown.push_back(&each);
  std::ranges::stable_sort(shown, {}, [](const timeline::Episode* each) { return each->chance; });
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::ranges::sort(shown, {}, [](const timeline::Episode* each) { return each->begin_ns; });
  std::string out = "episodes, in which something ran or was counted far more than it usually is:\n";
  for (const timeline::Episode* each : shown) out += episode_text(*each, style);
  if (shown.size() < all.size()) out += fmt::format("# {} more, less sure\n", all.size() - shown.size());
  return out + '\n';
}

// In the order in which they ran; those that the sample before had too are in parentheses.
std::string moment_text(const timeline::Moment& moment, const Style& style) {
  std::string out =
      fmt::format("{:.6f} s  {}:", static_cast<double>(moment.time_ns) / 1e9, printable(moment.lane));
  for (const timeline::Moment::Left& left : moment.branches) {
    std::string name = printable(short_name(left.function));
    out += left.is_new ? fmt::format(" {} >", name) : fmt::format(" ({}) >", name);
  }
  out += ' ' + printable(short_name(moment.function));
  if (moment.ambiguous) out += "  (which are new cannot be told)";
  return wrapped(out, style.width, 4) + '\n';
}

}  // namespace

size_t timeline_columns(const Style& style) {
  constexpr size_t kSides = 3;
  if (style.width == 0) return kUsualColumns;
  return std::max(kFewestColumns, style.width - std::min(style.width, kNameColumns + kSides));
}

std::string timeline_view(const timeline::Timeline& timeline, const std::vector<timeline::Episode>& episodes,
                          const Style& style) {
  std::string out = head(timeline) + episodes_text(episodes, style) + totals_text(timeline, style) + '\n';
  for (const timeline::Lane& lane : timeline.lanes) out += lane_text(timeline, lane, style);
  out += axis(timeline);
  if (timeline.lanes.size() < timeline.all_lanes)
    out += fmt::format("# {} more\n", timeline.all_lanes - timeline.lanes.size());
  for (const timeline::EventCount& event : timeline.counts) out += counts_legend(event);
  if (timeline.moments.empty()) return out;
  out +=
      "\nthe branches of each sample, in their order, each by the function that it left, and the function "
      "sampled:\n";
  for (const timeline::Moment& moment : timeline.moments) out += moment_text(moment, style);
  if (timeline.moments.size() < timeline.points.points)
    out += fmt::format(
        "# {}\n", count_of(timeline.points.points - timeline.moments.size(), "more sample", "more samples"));
  return out;
}

}  // namespace hm::text
