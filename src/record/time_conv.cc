// SPDX-License-Identifier: MIT
#include "record/time_conv.h"

namespace hm::record {

Result<TimeConversion> decode_time_conversion(const Record& record) {
  ByteReader in = record.reader();
  TimeConversion conversion{.shift = in.u64(), .multiplier = in.u64(), .zero_ns = in.u64()};
  if (!in.ok()) return short_record(record);
  return conversion;
}

void encode_time_conversion(const TimeConversion& conversion, ByteWriter& payload) {
  payload.u64(conversion.shift);
  payload.u64(conversion.multiplier);
  payload.u64(conversion.zero_ns);
}

}  // namespace hm::record
