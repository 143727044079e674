// SPDX-License-Identifier: MIT
// PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE: a thread is scheduled onto a CPU or leaves it.
#pragma once

#include <cstdint>
#include <optional>

#include "record/perf_record.h"

namespace hm::record {

struct ThreadRef {
  uint32_t pid = 0;
  uint32_t tid = 0;

  bool operator==(const ThreadRef&) const = default;
};

// The record's SampleId identifies the thread that switches.
struct Switch {
  bool out = false;                // PERF_RECORD_MISC_SWITCH_OUT, a bit of the record's misc field
  bool preempted = false;          // PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, a bit of the record's misc field
  std::optional<ThreadRef> other;  // only in a CPU_WIDE record: the next thread, or the previous one

  bool operator==(const Switch&) const = default;
};

// Decodes either record, according to its type.
Result<Switch> decode_switch(const Record& record);
// Encodes the payload of a SWITCH_CPU_WIDE; the payload of a SWITCH is empty.
void encode_switch_cpu_wide(const ThreadRef& other, ByteWriter& payload);
[[nodiscard]] uint16_t misc_bits_of(const Switch& change);

}  // namespace hm::record
