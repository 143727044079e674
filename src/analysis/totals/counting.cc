// SPDX-License-Identifier: MIT
#include "analysis/totals/counting.h"

namespace hm::totals {

std::optional<double> Counting::instructions_per_cycle() const {
  const EventTotal* instructions = instructions_of(totals);
  if (instructions == nullptr || !modelled || modelled->cycles.value_or(0) == 0) return std::nullopt;
  std::optional<double> count = instructions->count.best();
  if (!count) return std::nullopt;
  return *count / static_cast<double>(*modelled->cycles);
}

}  // namespace hm::totals
