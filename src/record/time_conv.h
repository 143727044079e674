// SPDX-License-Identifier: MIT
// TIME_CONV: parameters that convert the processor's time stamp counter to the kernel's time;
// perf_event_open(2), "time_mult".
#pragma once

#include <cstdint>

#include "record/perf_record.h"

namespace hm::record {

// time_ns = zero_ns + cycles * multiplier / 2^shift
struct TimeConversion {
  uint64_t shift = 0;
  uint64_t multiplier = 0;
  uint64_t zero_ns = 0;

  bool operator==(const TimeConversion&) const = default;
};

Result<TimeConversion> decode_time_conversion(const Record& record);
void encode_time_conversion(const TimeConversion& conversion, ByteWriter& payload);

}  // namespace hm::record
