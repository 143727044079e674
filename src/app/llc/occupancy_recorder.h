// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "app/llc/monitor.h"
#include "base/result.h"
#include "pmu/source.h"
#include "record/event.h"

namespace hm::llc {

// The id of the event in recordings: none that the kernel gives.
inline constexpr uint64_t kOccupancyEventId = uint64_t{0x4c4c43} << 32;

// Writes who holds the last-level caches into a recording, every so often, as records (record/occupancy.h).
class OccupancyRecorder {
 public:
  OccupancyRecorder(Monitor monitor, uint64_t every_ns) : monitor_(std::move(monitor)), every_ns_(every_ns) {}

  // Where it is time for it: the rows as they are now. `now_ns`: by the clock of the other samples. The error
  // is the sink's.
  [[nodiscard]] Status round(uint64_t now_ns, const pmu::Sink& sink);
  // The last of them, at the end.
  [[nodiscard]] Status write(uint64_t now_ns, const pmu::Sink& sink);

  // How long until there is something to do.
  [[nodiscard]] uint64_t wait_ns(uint64_t now_ns) const { return due_ns_ > now_ns ? due_ns_ - now_ns : 0; }

 private:
  Monitor monitor_;
  uint64_t every_ns_;
  uint64_t due_ns_ = 0;
};

}  // namespace hm::llc
