// SPDX-License-Identifier: MIT
#include "view/text/sizes.h"

#include <fmt/format.h>

#include "base/byte_size.h"
#include "view/text/format.h"
#include "view/text/log_plot.h"

namespace hm::text {
namespace {

constexpr size_t kPlottedFunctions = 3;
constexpr int kRunColor = 37, kColors[kPlottedFunctions] = {33, 36, 35};  // SGR: white; yellow, cyan, magenta

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

std::string plot_of(const sizes::Sizes& found, const std::vector<record::CacheInfo>& caches,
                    const Style& style) {
  std::vector<PlotCurve> curves;
  for (size_t i = 0; i < found.functions.size() && i < kPlottedFunctions; ++i) {
    const sizes::Function& function = found.functions[i];
    curves.push_back(plot_curve(printable(short_name(function.name)), static_cast<char>('a' + i), kColors[i],
                                function.curve));
  }
  curves.push_back(plot_curve("all", '*', kRunColor, found.curve));
  return log_plot(curves, marks_of(caches), "%", style);
}

std::string point_text(const sizes::Point& point) { return byte_size_text(point.bytes); }

std::string need_text(const std::optional<sizes::Need>& need) {
  if (!need) return "misses about as often with all sizes, as far as can be told";
  if (!need->times) {
    return fmt::format("needs {}: with {} it misses {:.2f} % of the accesses, then none that was sampled",
                       point_text(need->enough), point_text(need->smaller), need->smaller.missed.value * 100);
  }
  return fmt::format(
      "needs {}: with {} it misses {:.1f} times as often ({:.2f} % of the accesses, then {:.2f} %)",
      point_text(need->enough), point_text(need->smaller), *need->times, need->enough.missed.value * 100,
      need->smaller.missed.value * 100);
}

std::string functions_text(const sizes::Sizes& found, const Style& style) {
  if (found.event.empty())
    return "# functions are told where all accesses are sampled: record with -e memory_moves too\n";
  Table table({{"accesses"}, {"samples"}, {"function", Align::kLeft}, {"dso", Align::kLeft, true}});
  for (const sizes::Function& function : found.functions) {
    table.add({fmt::format("{} ±{:.1f}", percent(function.share.value),
                           (function.share.high - function.share.low) * 50),
               grouped(function.samples), printable(short_name(function.name)), function.dso},
              fmt::format("      {}\n", need_text(function.need)));
  }
  std::string out = fmt::format("# functions are estimated from {} of {}\n",
                                count_of(found.samples, "sample", "samples"), found.event) +
                    table.render(style);
  if (found.functions.size() < found.all_functions)
    out += fmt::format(
        "# {}\n", count_of(found.all_functions - found.functions.size(), "more function", "more functions"));
  return out;
}

}  // namespace

std::string sizes_view(const sizes::Sizes& found, const std::vector<record::CacheInfo>& caches,
                       const Style& style) {
  const profile::Sizes& counted = found.counted;
  std::string out =
      fmt::format("# caches for data of {} to {} sets, 1 to {} ways, lines of {} bytes, LRU; {} counted\n",
                  counted.sets(0), counted.sets(counted.set_counts - 1), counted.ways, counted.line_bytes,
                  count_of(counted.accesses, "access", "accesses"));
  if (counted.unplaced_accesses != 0)
    out += fmt::format("# {} more: of too many parts of the address space to be followed\n",
                       count_of(counted.unplaced_accesses, "access", "accesses"));
  out += "#\nmissed, by size of the cache\n" + plot_of(found, caches, style) + '\n';
  out += fmt::format("the run {}\n\n", need_text(found.need));
  return out + functions_text(found, style);
}

}  // namespace hm::text
