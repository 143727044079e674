// SPDX-License-Identifier: MIT
// Builds a perf_event_attr from an intent, and relaxes it after an error. These are pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pmu/linux/intent.h"

namespace hm::linux_pmu {

// perf's register numbers for this architecture's integer registers, instruction pointer and flags
// (arch/*/include/uapi/asm/perf_regs.h).
#if defined(__x86_64__)
inline constexpr uint64_t kIntegerRegisters =
    0xff0fff;  // without ds, es, fs and gs, which a 64-bit kernel refuses
#elif defined(__aarch64__)
inline constexpr uint64_t kIntegerRegisters = 0x1ffffffff;
#else
inline constexpr uint64_t kIntegerRegisters = 0;
#endif

// Offset of the time in the payload of every sample with make_attr()'s layout. Before it are identifier, ip,
// pid and tid.
inline constexpr size_t kSampleTimeOffset = 24;
[[nodiscard]] perf_event_attr make_attr(const Event& event, const Intent& intent);

// Makes the ring also receive records of programs, mappings and threads. Needed for one event of each pair of
// pid and CPU.
void add_side_band(perf_event_attr& attr);

// Returns whether the CPU can write many samples before it interrupts ("large PEBS":
// intel_pmu_large_pebs_flags() in arch/x86/events/intel/core.c). The event must be precise and have a fixed
// period, and no sample field may need an interrupt.
struct Batching {
  bool possible = false;
  std::string reason;  // why it is not possible
};
[[nodiscard]] Batching batching_of(const perf_event_attr& attr);

// A fallback: the property that was given up so that the kernel accepts the event.
enum class Fallback {
  kPrecision,     // reduced by one level
  kKernelMode,    // measuring the kernel is not permitted
  kWeightStruct,  // an older kernel has only one weight
  kPageSizes,     // an older kernel has no page sizes
};
[[nodiscard]] std::string_view describe(Fallback fallback);

// True if the event occurs only in kernel mode (perf_sw_event_sched() in kernel/sched/core.c). In user mode
// alone it always counts 0.
[[nodiscard]] bool only_in_kernel(const perf_event_attr& attr);

// Relaxes `attr` after the kernel refused it with `error` (an errno). Returns nullopt if nothing more can be
// given up. Keeps the modes that the user chose.
std::optional<Fallback> fall_back(perf_event_attr& attr, int error, bool modes_chosen);

}  // namespace hm::linux_pmu
