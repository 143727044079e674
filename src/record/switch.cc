// SPDX-License-Identifier: MIT
#include "record/switch.h"

#include <linux/perf_event.h>

namespace hm::record {

Result<Switch> decode_switch(const Record& record) {
  Switch change{.out = (record.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0,
                .preempted = (record.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0,
                .other = {}};
  if (record.type == PERF_RECORD_SWITCH) return change;
  ByteReader in = record.reader();
  change.other = ThreadRef{.pid = in.u32(), .tid = in.u32()};
  if (!in.ok()) return short_record(record);
  return change;
}

void encode_switch_cpu_wide(const ThreadRef& other, ByteWriter& payload) {
  payload.u32(other.pid);
  payload.u32(other.tid);
}

uint16_t misc_bits_of(const Switch& change) {
  return static_cast<uint16_t>((change.out ? PERF_RECORD_MISC_SWITCH_OUT : 0) |
                               (change.preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0));
}

}  // namespace hm::record
