// SPDX-License-Identifier: MIT
// What an event is on a processor: the fields of perf_event_attr (perf_event_open(2)) that Linux must be
// given. Pure: nothing here looks at the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/cpu_model.h"
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
  kCycles,      // cycles
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
  std::string pmu;  // "cpu", "cpu_atom", "ibs_op": below /sys/bus/event_source/devices
  std::optional<uint32_t>
      type;  // perf_event_attr.type where the ABI fixes it; else read it from the PMU's `type`
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
  uint8_t max_precise_ip =
      0;                 // the highest that is of use; the kernel may allow less (the PMU's caps/max_precise)
  bool precise = false;  // with it, or without where it is 0, a sample names the very instruction
  bool data_address = false;  // PERF_SAMPLE_ADDR tells the address that was accessed
  bool weight = false;        // PERF_SAMPLE_WEIGHT tells the latency, in cycles
  bool data_source = false;   // PERF_SAMPLE_DATA_SRC tells which level had the data
  bool branch_stack = false;  // PERF_SAMPLE_BRANCH_STACK can go with it, where the CPU has one
  // exclude_user and exclude_kernel are obeyed. Where they are not, opening with one of them set fails
  // (unless `privilege_bits` helps), and the reader tells user from kernel samples by the record's misc
  // field.
  bool privilege_filter = true;
  FormatBits privilege_bits;      // opening with exclude_user or exclude_kernel needs them
  FormatBits fewer_samples_bits;  // may be set: the hardware then drops much of what `keep` would, and a
                                  // sample no longer stands for `period` operations
  PeriodUnit period_unit = PeriodUnit::kEvents;
  uint32_t period_multiple = 1;  // sample_period must be a multiple of this
  Delivery delivery = Delivery::kRing;
  bool helper =
      false;  // opened beside the one before it and counting on the same cores, for what it does to the
              // hardware (Pentium 4: tags micro-operations); its own count and samples are nothing
  SampleFilter keep;   // which samples had the event
  std::string native;  // the vendor's name: "MEM_LOAD_RETIRED:L1_MISS"
  std::string note;    // how it differs from the event's definition; empty where it does not
};

// One for each kind of core the processor has, in sysfs' names; all are opened, and their counts add up. An
// event that the processor cannot count truthfully, and a processor that is not known, are kUnsupported with
// a sentence that names the nearest.
[[nodiscard]] Result<std::vector<Encoding>> encode(EventId id, const CpuModel& cpu, Use use);

// The kernel's own timer, for the event `clock` where there is no PMU: PERF_COUNT_SW_CPU_CLOCK, whose period
// is in ns.
[[nodiscard]] Encoding software_clock();

}  // namespace hm::event
