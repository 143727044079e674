// SPDX-License-Identifier: MIT
#include "view/text/timeline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "view/text/format.h"
#include "view/text/function_names.h"
#include "view/text/timeline_words.h"

namespace hm::text {
namespace {

constexpr size_t kUsualColumns = 80, kFewestColumns = 10;
constexpr std::array kLetterColors{31, 32, 33, 34, 35, 36, 91, 92, 93, 94, 95, 96};  // SGR

std::string cell_of(char letter, size_t column, const Style& style) {
  bool colored = style.color && letter >= 'a' && letter <= 'z';
  return colored ? fmt::format("\x1b[{}m{}\x1b[0m", kLetterColors[column % kLetterColors.size()], letter)
                 : std::string(1, letter);
}

}  // namespace

std::string timeline_head(const timeline::Timeline& line) {
  const auto time = [&](uint64_t at) { return time_text(static_cast<double>(at), line.unit); };
  std::string out =
      fmt::format("# time line of {}: from {} to {}, cells of {}, by {}\n", line.event, time(line.begin_ns),
                  time(line.end_ns), time(line.bin_ns), timeline::name_of(line.by));
  if (line.unit == profile::TimeUnit::kCycles)
    out +=
        "# times are cycles of the modelled machine, the same in each run; the software PMU slows the run itself\n";
  if (line.slowed)
    out += "# times are of the run under the software PMU, which slows some code more than other\n";
  if (!line.counts_time)
    out += fmt::format(
        "# {} is not a clock: this shows when it happened; shares are of the time between its samples, not of CPU time\n",
        line.event);
  out += fmt::format("# {}, one in {} of a thread", count_of(line.points.points, "sample", "samples"),
                     time(line.interval_ns));
  if (line.points.branches == 0) return out + "; without branches: each stands for the time before it\n#\n";
  out += fmt::format("; {} of {} branches are new since the sample before; their times are estimated: {}\n",
                     grouped(line.points.new_branches), grouped(line.points.branches),
                     timeline::name_of(line.way));
  if (line.recorded != profile::RecordedHalf::kBoth)
    out += fmt::format("# only {} were recorded; {} are inferred and count as branches\n",
                       line.recorded == profile::RecordedHalf::kCalls ? "calls" : "returns",
                       line.recorded == profile::RecordedHalf::kCalls ? "returns" : "calls");
  if (line.points.ambiguous != 0)
    out += fmt::format(
        "# {} may be old or new, because the same branches run again and again: all count as new\n",
        count_of(line.points.ambiguous, "sample", "samples"));
  if (line.way == timeline::Way::kMix && line.bin_ns < line.interval_ns)
    out += "# samples are further apart than the cells are long: what ran in a cell is an average\n";
  return out + "#\n";
}

namespace {

std::string totals_text(const timeline::Timeline& line, const Style& style) {
  double all = line.other_ns;
  for (const timeline::Function& each : line.functions) all += each.ns;
  std::vector<Table::Heading> headings{{"", Align::kLeft}};
  if (line.counts_time) headings.push_back({"time"});
  headings.insert(headings.end(),
                  {{"share"}, {"function", Align::kLeft}, {"dso", Align::kLeft, Presence::kOptional}});
  Table table(std::move(headings));
  const auto add_row = [&](std::string letter, double ns, std::string share, const std::string& name,
                           const std::string& dso) {
    std::vector<std::string> cells{std::move(letter)};
    if (line.counts_time) cells.push_back(time_text(ns, line.unit));
    cells.insert(cells.end(), {std::move(share), name, dso});
    table.add(std::move(cells));
  };
  const auto add = [&](size_t column, double ns, const std::string& name, const std::string& dso) {
    add_row(std::string(1, letter_of(column, line.functions)), ns, percent(ns / std::max(all, 1.0)), name,
            dso);
  };
  std::vector<std::string> functions;
  for (const timeline::Function& each : line.functions) functions.push_back(each.name);
  FunctionNames names(functions, style);
  for (size_t i = 0; i < line.functions.size(); ++i)
    add(i, line.functions[i].ns, names.of(functions[i]), printable(line.functions[i].dso));
  if (line.other_ns > 0) add(line.functions.size(), line.other_ns, "(others)", "");
  double idle = 0;
  for (const timeline::Lane& lane : line.lanes) idle += lane.idle_ns.value_or(0);
  if (idle > 0 && line.counts_time) add_row("", idle, "", "(idle: no sample came for long)", "");
  return table.render(style);
}

std::string counts_text(const timeline::EventCount& event, const std::vector<double>& bins) {
  std::string out = lane_name("  " + printable(event.event));
  for (double count : bins) out += shade_of(count, event.most);
  return out + "|\n";
}

std::string lane_text(const timeline::Timeline& line, const timeline::Lane& lane, const Style& style) {
  std::string out = lane_name(printable(lane.name));
  for (const timeline::Bin& bin : lane.bins) {
    size_t column = bin.ns.empty() ? 0 : longest_named(bin);
    out += bin.ns.empty() ? " " : cell_of(letter_of(column, line.functions), column, style);
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
  std::string begin = time_text(static_cast<double>(line.begin_ns), line.unit),
              end = time_text(static_cast<double>(line.end_ns), line.unit);
  size_t room = cells > begin.size() ? cells - begin.size() : 0;
  return fmt::format("{:{}}{}{:>{}}\n", "", kLaneNameColumns + 2, begin, end, std::max(room, end.size() + 1));
}

// Returns the most significant episodes, in order of time.
std::string episodes_text(const std::vector<timeline::Episode>& all, profile::TimeUnit unit,
                          const Style& style) {
  constexpr size_t kMaxShown = 10;
  if (all.empty()) return "";
  std::vector<const timeline::Episode*> shown(all.size());
  std::ranges::transform(all, shown.begin(), [](const timeline::Episode& each) { return &each; });
  std::ranges::stable_sort(shown, {}, [](const timeline::Episode* each) { return each->chance; });
  if (shown.size() > kMaxShown) shown.resize(kMaxShown);
  std::ranges::sort(shown, {}, [](const timeline::Episode* each) { return each->begin_ns; });
  std::string out = "episodes, in which a function ran, or an event was counted, far more than usual:\n";
  for (const timeline::Episode* each : shown)
    out += wrapped(episode_line(*each, unit), style.width, 4) + '\n';
  if (shown.size() < all.size()) out += fmt::format("# {} more, less certain\n", all.size() - shown.size());
  return out + '\n';
}

}  // namespace

size_t timeline_columns(const Style& style) {
  constexpr size_t kSides = 3;
  if (style.width == 0) return kUsualColumns;
  return std::max(kFewestColumns, style.width - std::min(style.width, kLaneNameColumns + kSides));
}

std::string timeline_view(const timeline::Timeline& timeline, const std::vector<timeline::Episode>& episodes,
                          const Style& style) {
  std::string out = timeline_head(timeline) + episodes_text(episodes, timeline.unit, style) +
                    totals_text(timeline, style) + '\n';
  for (const timeline::Lane& lane : timeline.lanes) out += lane_text(timeline, lane, style);
  out += axis(timeline);
  if (timeline.lanes.size() < timeline.all_lanes)
    out += fmt::format("# {} more\n", timeline.all_lanes - timeline.lanes.size());
  for (const timeline::EventCount& event : timeline.counts) out += counts_legend(event);
  if (timeline.moments.empty()) return out;
  out +=
      "\nthe branches of each sample, in their order, each by the function that it left, and the function sampled:\n";
  for (const timeline::Moment& moment : timeline.moments)
    out += wrapped(moment_line(moment, timeline.unit), style.width, 4) + '\n';
  if (timeline.moments.size() < timeline.points.points)
    out += fmt::format(
        "# {}\n", count_of(timeline.points.points - timeline.moments.size(), "more sample", "more samples"));
  return out;
}

}  // namespace hm::text
