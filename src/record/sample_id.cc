// SPDX-License-Identifier: MIT
#include "record/sample_id.h"

#include <bit>

namespace hm::record {

size_t sample_id_bytes(const perf_event_attr& attr) {
  if (attr.sample_id_all == 0) return 0;
  return static_cast<size_t>(std::popcount(attr.sample_type & kSampleIdFields)) * sizeof(uint64_t);
}

SampleId decode_sample_id(const perf_event_attr& attr, const Record& record) {
  size_t size = sample_id_bytes(attr);
  bool has_one = record.type != PERF_RECORD_SAMPLE && record.type < kHeaderAttr;
  if (!has_one || size == 0 || record.payload.size() < size) return {};
  ByteReader in(record.payload.last(size), record.swap);
  SampleId id{.type = attr.sample_type & kSampleIdFields};
  if ((id.type & PERF_SAMPLE_TID) != 0) {
    id.pid = in.u32();
    id.tid = in.u32();
  }
  if ((id.type & PERF_SAMPLE_TIME) != 0) id.time_ns = in.u64();
  if ((id.type & PERF_SAMPLE_ID) != 0) id.id = in.u64();
  if ((id.type & PERF_SAMPLE_STREAM_ID) != 0) id.stream_id = in.u64();
  if ((id.type & PERF_SAMPLE_CPU) != 0) {
    id.cpu = in.u32();
    in.skip(sizeof(uint32_t));
  }
  if ((id.type & PERF_SAMPLE_IDENTIFIER) != 0) id.id = in.u64();
  return id;
}

void encode_sample_id(const perf_event_attr& attr, const SampleId& id, ByteWriter& payload) {
  if (attr.sample_id_all == 0) return;
  uint64_t type = attr.sample_type;
  if ((type & PERF_SAMPLE_TID) != 0) {
    payload.u32(id.pid);
    payload.u32(id.tid);
  }
  if ((type & PERF_SAMPLE_TIME) != 0) payload.u64(id.time_ns);
  if ((type & PERF_SAMPLE_ID) != 0) payload.u64(id.id);
  if ((type & PERF_SAMPLE_STREAM_ID) != 0) payload.u64(id.stream_id);
  if ((type & PERF_SAMPLE_CPU) != 0) {
    payload.u32(id.cpu);
    payload.u32(0);
  }
  if ((type & PERF_SAMPLE_IDENTIFIER) != 0) payload.u64(id.id);
}

}  // namespace hm::record
