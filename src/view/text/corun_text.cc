// SPDX-License-Identifier: MIT
#include "view/text/corun_text.h"

#include <fmt/format.h>

#include "base/byte_size.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

std::string interval_text(const corun::Estimate& estimate) {
  return fmt::format("{:.2f} to {:.2f}", estimate.low, estimate.high);
}

constexpr std::string_view fit_text(corun::Fit fit) {
  return fit == corun::Fit::kFits ? "fit" : fit == corun::Fit::kCollides ? "collide" : "unclear";
}

std::string pairs_text(const corun::Corun& corun, const std::vector<std::string>& names, const Style& style) {
  Table table({{"", Align::kLeft},
               {"program", Align::kLeft},
               {"beside", Align::kLeft},
               {"alone"},
               {"extra"},
               {"interval"},
               {"both together"}});
  for (const corun::Pair& pair : corun.pairs) {
    for (size_t i = 0; i < 2; ++i) {
      const corun::Member& member = pair.members[i];
      table.add({i == 0 ? std::string(fit_text(pair.fit)) : "", printable(names[member.program]),
                 printable(names[pair.members[1 - i].program]), fmt::format("{:.2f}", member.alone),
                 fmt::format("{:.2f}", member.extra.value), interval_text(member.extra),
                 i == 0 ? fmt::format("{:.2f}", pair.extra.value) : ""});
    }
  }
  return table.render(style);
}

std::string placement_text(const corun::Placement& placement, const std::vector<std::string>& names,
                           std::string_view unit) {
  std::string out = "\nwhat should share a cache:\n";
  for (size_t i = 0; i < placement.caches.size(); ++i) {
    out += fmt::format("  cache {}:", i + 1);
    for (size_t program : placement.caches[i]) out += ' ' + printable(names[program]);
    out += '\n';
  }
  return out + fmt::format("{:.2f} extra misses {} then, {:.2f} with the worst placement\n", placement.extra,
                           unit, placement.extra_of_worst);
}

}  // namespace

std::string corun_view(const corun::Corun& corun, const std::vector<std::string>& names,
                       const map::Cache& cache, const Style& style) {
  std::string_view unit = corun.rates_known ? "in 1000 cycles" : "of 1000 accesses of each";
  std::string out =
      fmt::format("# {} {} of {} ways, shared: misses of 1000 accesses to data, and both together {}\n",
                  cache.name, byte_size_text(cache.bytes()), cache.sets.ways, unit);
  if (corun.cache.sets != cache.sets.sets)
    out += fmt::format("# predicted for {} sets of {} ways, the nearest size in the recordings\n",
                       corun.cache.sets, corun.cache.ways);
  out += "# estimated from separate runs of each program, at its speed in that run";
  out += corun.rates_known ? " by the cost model\n" : "; speeds are unknown: as many accesses of each\n";
  out += '\n' + pairs_text(corun, names, style);
  if (corun.placement) out += placement_text(*corun.placement, names, unit);
  return out;
}

}  // namespace hm::text
