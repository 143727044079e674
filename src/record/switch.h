// SPDX-License-Identifier: MIT
// PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE: a thread goes onto a CPU or leaves it.
#pragma once

#include <cstdint>
#include <optional>

#include "record/record.h"

namespace hm::record {

struct ThreadRef {
  uint32_t pid = 0;
  uint32_t tid = 0;

  bool operator==(const ThreadRef&) const = default;
};

// The thread that switches is in the record's SampleId.
struct Switch {
  bool out = false;                // PERF_RECORD_MISC_SWITCH_OUT, in the record's misc
  bool preempted = false;          // PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, in the record's misc
  std::optional<ThreadRef> other;  // of a CPU_WIDE: the next thread, or the previous one

  bool operator==(const Switch&) const = default;
};

// Either record; by its type.
Result<Switch> decode_switch(const Record& record);
// The payload of a SWITCH_CPU_WIDE; that of a SWITCH is empty.
void encode_switch_cpu_wide(const ThreadRef& other, ByteWriter& payload);
[[nodiscard]] uint16_t misc_bits_of(const Switch& change);

}  // namespace hm::record
