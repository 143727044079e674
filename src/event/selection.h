// SPDX-License-Identifier: MIT
// Events chosen by a user with -e: events of the table and events of the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"

namespace hm::event {

// An event of a kernel PMU: the fields of perf_event_attr that identify it (perf_event_open(2)).
struct KernelEvent {
  uint32_t type = 0;  // PERF_TYPE_*
  uint64_t config = 0;
  uint64_t config1 = 0;          // for a breakpoint, its address
  uint64_t config2 = 0;          // for a breakpoint, its length in bytes
  uint32_t breakpoint_type = 0;  // HW_BREAKPOINT_*
  bool operator==(const KernelEvent&) const = default;
};

// Exactly one of `id`, `kernel` and `tracepoint` is set.
struct Selection {
  std::string name;                   // name in results
  std::optional<EventId> id;          // event of the table
  std::optional<KernelEvent> kernel;  // a software, generic hardware or raw event, or a breakpoint
  std::string tracepoint;             // "sched:sched_switch"; its number has to be read from the kernel
  // Only count in these modes. If neither is set, the command's modes apply.
  bool user = false;
  bool kernel_mode = false;
  // Events with equal numbers above 0 are scheduled on the PMU together.
  unsigned group = 0;
  bool operator==(const Selection&) const = default;
};

// Return true for events in nanoseconds: the table's `clock`, and the kernel's cpu-clock and task-clock.
[[nodiscard]] bool is_clock(const KernelEvent& event);
[[nodiscard]] bool is_clock(const Selection& selection);

// Parses perf's syntax (perf-list(1), "EVENT MODIFIERS"):
// "l1_cache_miss,page-faults:u,{cycles,instructions},r1d1,mem:0x7ffe0000/8:w,sched:sched_switch". Fails with
// kInvalidArgument and the most similar name if a name is unknown or repeated.
[[nodiscard]] Result<std::vector<Selection>> parse_selections(std::string_view list);

// Returns the selected events of the table, in order. Fails with kUnsupported if one of them is a kernel
// event.
[[nodiscard]] Result<std::vector<EventId>> only_table_events(const std::vector<Selection>& selections);

}  // namespace hm::event
