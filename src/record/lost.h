// SPDX-License-Identifier: MIT
// PERF_RECORD_LOST (records that did not fit the ring) and PERF_RECORD_LOST_SAMPLES (samples the hardware
// dropped).
#pragma once

#include <cstdint>

#include "record/perf_record.h"

namespace hm::record {

struct Lost {
  uint64_t id = 0;  // the event's id; absent (0) in a LOST_SAMPLES record
  uint64_t count = 0;

  bool operator==(const Lost&) const = default;
};

// Decodes either record, according to its type.
Result<Lost> decode_lost(const Record& record);
void encode_lost(const Lost& lost, ByteWriter& payload);
void encode_lost_samples(uint64_t count, ByteWriter& payload);

}  // namespace hm::record
