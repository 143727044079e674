// SPDX-License-Identifier: MIT
// What a user asks for with -e: events of the table, and those that the kernel itself has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"

namespace hm::event {

// What a PMU of the kernel is asked for: the fields of a perf_event_attr that name an event
// (perf_event_open(2)).
struct KernelEvent {
  uint32_t type = 0;  // PERF_TYPE_*
  uint64_t config = 0;
  uint64_t config1 = 0;          // of a breakpoint, its address
  uint64_t config2 = 0;          // of a breakpoint, its length in bytes
  uint32_t breakpoint_type = 0;  // HW_BREAKPOINT_*
  bool operator==(const KernelEvent&) const = default;
};

// Just one of `id`, `kernel` and `tracepoint` is set.
struct Selection {
  std::string name;                   // as results show it
  std::optional<EventId> id;          // of the table
  std::optional<KernelEvent> kernel;  // a software event, a generic hardware event, a raw one or a breakpoint
  std::string tracepoint;             // "sched:sched_switch"; the kernel knows its number
  // Only in these modes; where neither is set, in those that the command asks for.
  bool user = false;
  bool kernel_mode = false;
  // Events with the same number above 0 are on the PMU together or not at all.
  unsigned group = 0;
  bool operator==(const Selection&) const = default;
};

// Counted in nanoseconds: the table's `clock`, and the kernel's cpu-clock and task-clock.
[[nodiscard]] bool is_clock(const KernelEvent& event);
[[nodiscard]] bool is_clock(const Selection& selection);

// perf's words (perf-list(1), "EVENT MODIFIERS"): "l1_cache_miss,page-faults:u,{cycles,instructions},r1d1,
// mem:0x7ffe0000/8:w,sched:sched_switch". kInvalidArgument for an unknown or repeated name, which then names
// the nearest.
[[nodiscard]] Result<std::vector<Selection>> parse_selections(std::string_view list);

// The table's events among them, in their order; kUnsupported where there is one that only the kernel has.
[[nodiscard]] Result<std::vector<EventId>> only_table_events(const std::vector<Selection>& selections);

}  // namespace hm::event
