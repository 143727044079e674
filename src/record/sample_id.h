// SPDX-License-Identifier: MIT
// What every record but a sample ends with where attr.sample_id_all is set: perf_event_open(2), "struct
// sample_id".
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "base/bytes.h"
#include "record/record.h"

namespace hm::record {

// A field that `type` does not name was not recorded.
struct SampleId {
  uint64_t type = 0;  // PERF_SAMPLE_*: which of the fields there are; 0 = the record has no such end
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t time_ns = 0;
  uint64_t id = 0;  // PERF_SAMPLE_IDENTIFIER or PERF_SAMPLE_ID
  uint64_t stream_id = 0;
  uint32_t cpu = 0;

  bool operator==(const SampleId&) const = default;
};

// The fields of `sample_type` that a SampleId holds.
inline constexpr uint64_t kSampleIdFields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                                            PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

// Size of the end in bytes; 0 where the event's records have none.
[[nodiscard]] size_t sample_id_bytes(const perf_event_attr& attr);

// Of a sample, of a record that perf added, and of one too short for it: nothing (type 0).
[[nodiscard]] SampleId decode_sample_id(const perf_event_attr& attr, const Record& record);

// Appends it, as `attr` lays it out.
void encode_sample_id(const perf_event_attr& attr, const SampleId& id, ByteWriter& payload);

}  // namespace hm::record
