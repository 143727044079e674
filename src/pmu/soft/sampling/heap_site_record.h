// SPDX-License-Identifier: MIT
// The record of an allocation site (record/extension.h, HeapSiteExtension). Freestanding.
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

#include "pmu/soft/sampling/process_records.h"
#include "pmu/soft/sampling/read_memory.h"
#include "pmu/soft/sampling/record_builder.h"
#include "pmu/soft/sampling/sample_record.h"
#include "record/extension.h"

namespace hm::soft {

inline constexpr uint64_t kHeapSiteSampleType = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                                PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW |
                                                PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
inline constexpr uint64_t kSiteStackBytes = 4096;

struct StackCopy {
  uint8_t bytes[kSiteStackBytes];
  uint64_t count;  // bytes above the stack pointer
};

inline void copy_stack(uint64_t stack_pointer, StackCopy& to) {
  to.count = read_memory(stack_pointer, to.bytes, kSiteStackBytes) & ~uint64_t{7};
}

// A call of an allocator, at its first instruction.
struct HeapSiteFacts {
  Registers registers;
  uint64_t return_address;
  bool any_depth;  // the site covers all further depths of its path, or all further paths of its call site
};

// Returns a PERF_RECORD_SAMPLE (perf_event_open(2)) of the event session.heap_site_id.
inline RecordBuilder heap_site_record(const Session& session, const Origin& origin, uint32_t number,
                                      const HeapSiteFacts& facts, const StackCopy& stack) {
  record::HeapSiteExtension site{record::kHeapSiteMagic, number, facts.any_depth ? 1u : 0u};
  RecordBuilder record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
  record.put(session.heap_site_id);
  record.put(facts.registers.ip);
  record.put(origin.pid);
  record.put(origin.tid);
  record.put(origin.time_ns);
  record.put(facts.return_address);
  record.put(static_cast<uint32_t>(sizeof(site)));
  record.put(site);
  record.put(uint64_t{PERF_SAMPLE_REGS_ABI_64});
  record.put(facts.registers);
  record.put(stack.count);
  if (stack.count == 0) return record;
  record.put_bytes(stack.bytes, static_cast<uint32_t>(stack.count));
  record.put(stack.count);
  return record;
}

}  // namespace hm::soft
