// SPDX-License-Identifier: MIT
// The trailer of every record other than a sample if attr.sample_id_all is set: perf_event_open(2), "struct
// sample_id".
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "base/bytes.h"
#include "record/perf_record.h"

namespace hm::record {

// Only the fields whose bits are set in `type` were recorded.
struct SampleId {
  uint64_t type = 0;  // PERF_SAMPLE_* bits of the recorded fields; 0 = the record has no trailer
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t time_ns = 0;
  uint64_t id = 0;  // PERF_SAMPLE_IDENTIFIER or PERF_SAMPLE_ID
  uint64_t stream_id = 0;
  uint32_t cpu = 0;

  bool operator==(const SampleId&) const = default;
};

// The bits of `sample_type` that have a field in SampleId.
inline constexpr uint64_t kSampleIdFields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                                            PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

// Returns the size of the trailer in bytes; 0 if the event's records have none.
[[nodiscard]] size_t sample_id_bytes(const perf_event_attr& attr);

// Returns an empty SampleId (type 0) for samples, for records that perf added, and for records too short for
// a trailer.
[[nodiscard]] SampleId decode_sample_id(const perf_event_attr& attr, const Record& record);

// Appends the trailer in the layout that `attr` defines.
void encode_sample_id(const perf_event_attr& attr, const SampleId& id, ByteWriter& payload);

}  // namespace hm::record
