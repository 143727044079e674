// SPDX-License-Identifier: MIT
#include "host/calibration/rounds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "host/calibration/quantities.h"

namespace hm::host {
namespace {

// More is better for rates, less for times.
bool is_rate(const std::string& name) { return name == "clock" || name.ends_with("bandwidth"); }

// A difference of two times: a disturbance of either part can make it larger or smaller.
bool is_difference(const std::string& name) {
  return name == "second TLB" || name == "page walk" || name == "split line" || name == "split page" ||
         name == "blocked store forwarding" || name == "4 KiB aliasing" || name == "mispredicted branch";
}

Estimate middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  size_t middle = values.size() / 2, aside = std::min<size_t>(1, middle);
  return {values[middle], values[middle - aside], values[std::min(middle + aside, values.size() - 1)]};
}

Estimate second_best(std::vector<double> values, bool more_is_better) {
  if (more_is_better)
    std::ranges::sort(values, std::greater());
  else
    std::ranges::sort(values);
  double best = values.front(), middle = values[values.size() / 2];
  return {values[std::min<size_t>(1, values.size() - 1)], std::min(best, middle), std::max(best, middle)};
}

}  // namespace

MachineProfile combined(const std::vector<MachineProfile>& rounds) {
  std::map<std::string, std::vector<double>> values;
  MachineProfile result = rounds.back();
  result.preemptions = result.elapsed_ns = 0;
  for (const MachineProfile& round : rounds) {
    for_each_quantity(
        round, [&](const std::string& name, const Estimate& each) { values[name].push_back(each.value); });
    result.preemptions += round.preemptions;
    result.elapsed_ns += round.elapsed_ns;
    result.instructions_per_cycle = std::max(result.instructions_per_cycle, round.instructions_per_cycle);
    result.additions_per_cycle = std::max(result.additions_per_cycle, round.additions_per_cycle);
    result.stolen_share = std::max(result.stolen_share, round.stolen_share);
  }
  for_each_quantity(result, [&](const std::string& name, Estimate& each) {
    each = is_difference(name) ? middle_of(values[name]) : second_best(values[name], is_rate(name));
  });
  return result;
}

}  // namespace hm::host
