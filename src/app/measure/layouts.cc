// SPDX-License-Identifier: MIT
#include "app/measure/layouts.h"

#include <algorithm>

#include "analysis/totals/layouts.h"

namespace hm::measure {

Result<Counted> count_in_layouts(MeasureOptions options, uint64_t layouts, const Observer& observer) {
  if (layouts == 1) return count_events(options, observer);
  if (!options.target.only_a_command())
    return make_error(ErrorCode::kInvalidArgument,
                      "--layouts runs a program several times: name a program, not running processes");
  if (!options.source) options.source = SourceKind::kSoftware;
  std::vector<totals::Counting> runs;
  uint64_t first = options.software.layout;
  // The usual layout is the last one, because engines without other layouts refuse all but that.
  for (uint64_t left = layouts; left > 0; --left) {
    options.software.layout = first + left - 1;
    Result<Counted> run = count_events(options, observer);
    if (!run || run->refusal) return run;
    bool ends = left == 1 || run->outcome.interrupted;
    if (!run->outcome.interrupted || runs.empty()) runs.push_back(std::move(run->counting));
    if (!ends) continue;
    std::ranges::reverse(runs);
    run->counting = totals::over_layouts(std::move(runs));
    return run;
  }
  return Counted{};
}

}  // namespace hm::measure
