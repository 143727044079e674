// SPDX-License-Identifier: MIT
// PERF_RECORD_THROTTLE and PERF_RECORD_UNTHROTTLE: the kernel stops and resumes an event with too high an
// interrupt rate.
#pragma once

#include <cstdint>

#include "record/perf_record.h"

namespace hm::record {

struct Throttle {
  uint64_t time_ns = 0;
  uint64_t id = 0;
  uint64_t stream_id = 0;

  bool operator==(const Throttle&) const = default;
};

Result<Throttle> decode_throttle(const Record& record);
void encode_throttle(const Throttle& throttle, ByteWriter& payload);

}  // namespace hm::record
