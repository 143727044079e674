// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/unused_lines.h"

#include "model/shared_levels.h"

namespace hm::soft::direct {

// Reads the current mappings. Returns false if they cannot be determined.
bool UnusedLines::learn_mappings() {
  mappings_.clear();
  bool known = maps_.for_each(
      [](const MappedRange& range, void* mappings) {
        auto& all = *static_cast<Ranges*>(mappings);
        if (!all.is_nearly_full()) all.add(range.start, range.end);
      },
      &mappings_);
  return known && !mappings_.is_nearly_full();
}

void UnusedLines::forget(Core& core) {
  model::SharedLevels* shared = cores_.shared_levels();
  if (shared == nullptr) return;
  model::Machine& machine = core.model.machine;
  if (!machine.has_grown() && !shared->has_grown()) return;
  Guard guard(lock_);
  if (!learn_mappings()) return;
  const auto is_used = [&](uint64_t first, uint64_t count) HM_UNCHECKED_LOCKS {
    uint64_t start = first << plan_.line_shift, end = (first + count) << plan_.line_shift;
    return mappings_.first_in(start, end).start < end;
  };
  if (machine.has_grown()) machine.forget_unused(is_used);
  if (shared->has_grown()) shared->forget_unused(is_used);
}

}  // namespace hm::soft::direct
