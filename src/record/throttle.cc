// SPDX-License-Identifier: MIT
#include "record/throttle.h"

namespace hm::record {

Result<Throttle> decode_throttle(const Record& record) {
  ByteReader in = record.reader();
  Throttle throttle{.time_ns = in.u64(), .id = in.u64(), .stream_id = in.u64()};
  if (!in.ok()) return short_record(record);
  return throttle;
}

void encode_throttle(const Throttle& throttle, ByteWriter& payload) {
  payload.u64(throttle.time_ns);
  payload.u64(throttle.id);
  payload.u64(throttle.stream_id);
}

}  // namespace hm::record
