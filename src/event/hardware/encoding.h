// SPDX-License-Identifier: MIT
// What an event is on a processor: the fields of perf_event_attr (perf_event_open(2)) that Linux must be
// given. Pure: nothing here looks at the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "event/hardware/sample_filter.h"

namespace hm::event {

// To count is to read the total; to sample is to be interrupted every so many. Some PMUs can do only one of
// them.
enum class Use : uint8_t { kCount, kSample };

// What sample_period counts.
enum class PeriodUnit : uint8_t {
  kEvents,      // the event itself
  kOperations,  // micro-operations, whether they had the event or not: a kept sample stands for `period` of
                // it
};

// How samples reach the reader.
enum class Delivery : uint8_t {
  kRing,  // PERF_RECORD_SAMPLE in the ring
  kAux,   // packets of the hardware's own in the AUX area, to be decoded by the reader (Arm SPE)
};

// Bits that only some kernels or revisions of a PMU have: they may be set where the PMU's folder `format` in
// sysfs has a file of this name. No name: there are none.
struct FormatBits {
  std::string format;
  uint64_t config = 0;
  uint64_t config2 = 0;
};

struct Encoding {
  // What perf_event_attr is given. Where the ABI fixes no type it is what the PMU's file `type` says.
  std::string pmu;  // "cpu", "cpu_atom", "ibs_op": below /sys/bus/event_source/devices
  std::optional<uint32_t> type;
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
  FormatBits privilege_bits;      // opening with exclude_user or exclude_kernel needs them
  FormatBits fewer_samples_bits;  // spare samples that `keep` would drop; `period` no longer holds with them

  // What a sample tells.
  uint8_t max_precise_ip = 0;  // the highest of use; the kernel may allow less (the PMU's caps/max_precise)
  bool precise = false;        // with that precise_ip a sample names the very instruction
  bool data_address = false;   // PERF_SAMPLE_ADDR is the address that was accessed
  bool weight = false;         // PERF_SAMPLE_WEIGHT is the latency, in cycles
  bool data_source = false;    // PERF_SAMPLE_DATA_SRC says which level had the data
  bool branch_stack = false;   // PERF_SAMPLE_BRANCH_STACK can go with it, where the processor has one
  SampleFilter keep;           // which samples had the event
  Delivery delivery = Delivery::kRing;

  // What must be heeded.
  PeriodUnit period_unit = PeriodUnit::kEvents;
  uint32_t period_multiple = 1;  // sample_period must be a multiple of this
  bool privilege_filter = true;  // without: exclude_user and exclude_kernel are refused (`privilege_bits` may
                                 // help), and a sample's misc field tells user from kernel
  bool exclusive = false;        // of those that say so, only one can be open on a core at a time
  bool helper = false;           // opened with the one before it only for what it does to the hardware: its
                                 // own count and samples are nothing (Pentium 4: it tags micro-operations)

  std::string native;  // the vendor's name: "MEM_LOAD_RETIRED:L1_MISS"
  std::string note;    // how it differs from the event's definition; empty where it does not
};

}  // namespace hm::event
