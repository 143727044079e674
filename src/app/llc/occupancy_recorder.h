// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "app/llc/monitor.h"
#include "base/result.h"
#include "pmu/source.h"
#include "record/event.h"

namespace hm::llc {

// The event ID in recordings, distinct from all IDs that the kernel assigns.
inline constexpr uint64_t kOccupancyEventId = uint64_t{0x4c4c43} << 32;

// Periodically writes the occupancy of the last-level caches into a recording, as records
// (record/occupancy_record.h).
class OccupancyRecorder {
 public:
  OccupancyRecorder(Monitor monitor, uint64_t every_ns) : monitor_(std::move(monitor)), every_ns_(every_ns) {}

  // Writes the current rows if an interval has passed. `now_ns` is in the clock of the other samples. Fails
  // with the sink's error.
  [[nodiscard]] Status round(uint64_t now_ns, const pmu::Sink& sink);
  // Writes the final rows at the end of the recording.
  [[nodiscard]] Status write(uint64_t now_ns, const pmu::Sink& sink);

  // Returns the time until the next write is due.
  [[nodiscard]] uint64_t wait_ns(uint64_t now_ns) const { return due_ns_ > now_ns ? due_ns_ - now_ns : 0; }

 private:
  Monitor monitor_;
  uint64_t every_ns_;
  uint64_t due_ns_ = 0;
};

}  // namespace hm::llc
