// SPDX-License-Identifier: MIT
// Encoding of an event on a processor: the fields of perf_event_attr (perf_event_open(2)) for Linux. Pure:
// does not depend on the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "event/hardware/sample_filter.h"

namespace hm::event {

// Counting reads the total; sampling interrupts after each period. Some PMUs support only one of them.
enum class Use : uint8_t { kCount, kSample };

// The unit of sample_period.
enum class PeriodUnit : uint8_t {
  kEvents,      // the event itself
  kOperations,  // micro-operations, with or without the event: a kept sample stands for `period` of them
};

// How samples reach the reader.
enum class Delivery : uint8_t {
  kRing,  // PERF_RECORD_SAMPLE in the ring buffer
  kAux,   // hardware packets in the AUX area, which the reader decodes (Arm SPE)
};

// Bits that only some kernels or revisions of a PMU have. They may be set if the PMU's `format` folder in
// sysfs has a file of this name. An empty name means no bits.
struct FormatBits {
  std::string format;
  uint64_t config = 0;
  uint64_t config2 = 0;
};

struct Encoding {
  // Fields of perf_event_attr. If `type` is empty, read it from the PMU's file `type` in sysfs.
  std::string pmu;  // "cpu", "cpu_atom", "ibs_op": folder in /sys/bus/event_source/devices
  std::optional<uint32_t> type;
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
  FormatBits privilege_bits;      // required for exclude_user or exclude_kernel
  FormatBits fewer_samples_bits;  // suppress samples that `keep` would drop; `period` is not valid with them

  // Contents of a sample.
  uint8_t max_precise_ip = 0;  // maximum precise_ip; the kernel may allow less (the PMU's caps/max_precise)
  bool precise = false;        // with that precise_ip a sample has the address of the instruction itself
  bool data_address = false;   // PERF_SAMPLE_ADDR is the accessed address
  bool weight = false;         // PERF_SAMPLE_WEIGHT is the latency, in cycles
  bool data_source = false;    // PERF_SAMPLE_DATA_SRC contains the level that had the data
  bool branch_stack = false;   // PERF_SAMPLE_BRANCH_STACK can be added, if the processor supports it
  SampleFilter keep;           // selects the samples that had the event
  Delivery delivery = Delivery::kRing;

  // Restrictions.
  PeriodUnit period_unit = PeriodUnit::kEvents;
  uint32_t period_multiple = 1;  // sample_period must be a multiple of this
  // If false, the PMU rejects exclude_user and exclude_kernel (`privilege_bits` may help), and a sample's
  // misc field distinguishes user from kernel.
  bool privilege_filter = true;
  bool exclusive = false;  // at most one such event can be open on a core at a time
  // Opened together with the encoding before it, to set up the hardware; ignore its count and samples
  // (Pentium 4: it tags micro-operations).
  bool helper = false;

  std::string native;  // the vendor's name: "MEM_LOAD_RETIRED:L1_MISS"
  std::string note;    // difference from the event's definition; empty if there is none
};

}  // namespace hm::event
