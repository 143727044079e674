// SPDX-License-Identifier: MIT
#include "view/text/sizes_text.h"

#include <fmt/format.h>

#include "base/byte_size.h"
#include "view/text/counts.h"
#include "view/text/format.h"
#include "view/text/function_names.h"
#include "view/text/log_plot.h"

namespace hm::text {
namespace {

constexpr size_t kPlottedRows = 3;
constexpr int kRunColor = 37, kColors[kPlottedRows] = {33, 36, 35};  // SGR: white; yellow, cyan, magenta

PlotCurve plot_curve(std::string name, char letter, int color, const sizes::Curve& curve) {
  PlotCurve plot{std::move(name), letter, color, {}};
  for (const sizes::Point& point : curve) {
    if (point.missed.value > 0) plot.points.emplace_back(point.bytes, point.missed.value * 100);
  }
  return plot;
}

std::vector<PlotMark> marks_of(const std::vector<record::CacheInfo>& caches) {
  std::vector<PlotMark> marks;
  for (const record::CacheInfo& cache : caches) {
    if (cache.type == "Instruction" || cache.sets == 0) continue;
    marks.push_back({uint64_t{cache.sets} * cache.ways * cache.line_bytes,
                     fmt::format("L{}{}", cache.level, cache.type == "Data" ? "D" : "")});
  }
  return marks;
}

// Returns the texts of the rows' names.
std::vector<std::string> name_texts(const sizes::Sizes& found, const Style& style) {
  bool of_functions = found.by == sizes::By::kFunction;
  std::vector<std::string> names;
  for (const sizes::Row& row : found.rows) names.push_back(row.name);
  FunctionNames functions(of_functions ? names : std::vector<std::string>(), style);
  for (std::string& name : names) name = of_functions ? functions.of(name) : printable(name);
  return names;
}

std::string plot_of(const sizes::Sizes& found, const std::vector<record::CacheInfo>& caches,
                    const Style& style) {
  std::vector<PlotCurve> curves;
  std::vector<std::string> names = name_texts(found, style);
  for (size_t i = 0; i < found.rows.size() && i < kPlottedRows; ++i) {
    curves.push_back(plot_curve(names[i], static_cast<char>('a' + i), kColors[i], found.rows[i].curve));
  }
  curves.push_back(plot_curve("all", '*', kRunColor, found.curve));
  return log_plot(curves, marks_of(caches), "%", style);
}

std::string point_text(const sizes::Point& point) { return byte_size_text(point.bytes); }

std::string need_text(const std::optional<sizes::Need>& need) {
  if (!need) return "misses about as often with all sizes, within the error";
  if (!need->times) {
    return fmt::format("needs {}: with {} it misses {:.2f} % of the accesses, then none that was sampled",
                       point_text(need->enough), point_text(need->smaller), need->smaller.missed.value * 100);
  }
  return fmt::format(
      "needs {}: with {} it misses {:.1f} times as often ({:.2f} % of the accesses instead of {:.2f} %)",
      point_text(need->enough), point_text(need->smaller), *need->times, need->smaller.missed.value * 100,
      need->enough.missed.value * 100);
}

std::string rows_text(const sizes::Sizes& found, const Style& style) {
  std::string one(sizes::name_of(found.by)), many = one + 's';
  if (found.event.empty())
    return fmt::format("# {} are told where all accesses are sampled: record with -e memory_moves too\n",
                       many);
  Table table({{"accesses"}, {"samples"}, {one, Align::kLeft}, {"dso", Align::kLeft, Presence::kOptional}});
  std::vector<std::string> names = name_texts(found, style);
  for (size_t i = 0; i < found.rows.size(); ++i) {
    const sizes::Row& row = found.rows[i];
    table.add({share_text(row.share), grouped(row.samples), names[i], row.dso},
              fmt::format("      {}\n", need_text(row.need)));
  }
  std::string out =
      fmt::format("# {} are estimated from {} of {}{}\n", many, count_of(found.samples, "sample", "samples"),
                  found.event, found.counted.one_set_in == 1 ? "" : " that went to simulated sets") +
      table.render(style);
  if (found.rows.size() < found.all_rows)
    out += fmt::format("# {}\n", count_of(found.all_rows - found.rows.size(), "more " + one, "more " + many));
  return out;
}

std::string counted_text(const profile::Sizes& counted) {
  std::string out = fmt::format(
      "# {} for data of {} to {} sets, 1 to {} ways, {} of {}, LRU; {} {}\n",
      counted.of_pages() ? "TLBs" : "caches", counted.sets(0), counted.sets(counted.set_counts - 1),
      counted.ways, counted.of_pages() ? "pages" : "lines",
      counted.of_pages() ? byte_size_text(counted.line_bytes) : fmt::format("{} bytes", counted.line_bytes),
      count_of(counted.accesses, "access", "accesses"), counted.in_bursts() ? "estimated" : "counted");
  if (!counted.errors.empty())
    out += fmt::format("# estimated from {}; the smallest cache misses {} ±{} times\n",
                       counted.in_bursts() ? std::string("bursts")
                                           : fmt::format("one in {} of the sets", counted.one_set_in),
                       grouped(counted.misses[0][0]), grouped(counted.errors[0][0]));
  if (counted.unplaced_accesses != 0)
    out += fmt::format("# {} more: the address space has too many parts to follow\n",
                       count_of(counted.unplaced_accesses, "access", "accesses"));
  return out;
}

std::string further_text(const sizes::Counted& further, const Style& style) {
  const char* what =
      further.counted.of_pages() ? "missed, by what the entries reach" : "missed, by size of the cache";
  return fmt::format("\n{}#\n{}\n{}\nthe run {}\n", counted_text(further.counted), what,
                     log_plot({plot_curve("all", '*', kRunColor, further.curve)}, {}, "%", style),
                     need_text(further.need));
}

}  // namespace

std::string sizes_view(const sizes::Sizes& found, const std::vector<record::CacheInfo>& caches,
                       const Style& style) {
  std::string out = counted_text(found.counted);
  out += "#\nmissed, by size of the cache\n" + plot_of(found, caches, style) + '\n';
  out += fmt::format("the run {}\n\n", need_text(found.need));
  out += rows_text(found, style);
  for (const sizes::Counted& further : found.further) out += further_text(further, style);
  return out;
}

}  // namespace hm::text
