// SPDX-License-Identifier: MIT
#include "record/lost.h"

#include <linux/perf_event.h>

namespace hm::record {

Result<Lost> decode_lost(const Record& record) {
  ByteReader in = record.reader();
  Lost lost;
  if (record.type == PERF_RECORD_LOST) lost.id = in.u64();
  lost.count = in.u64();
  if (!in.ok()) return short_record(record);
  return lost;
}

void encode_lost(const Lost& lost, ByteWriter& payload) {
  payload.u64(lost.id);
  payload.u64(lost.count);
}

void encode_lost_samples(uint64_t count, ByteWriter& payload) { payload.u64(count); }

}  // namespace hm::record
