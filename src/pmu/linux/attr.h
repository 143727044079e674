// SPDX-License-Identifier: MIT
// Converts an intent to a perf_event_attr, and simplifies the attr after an error: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pmu/linux/intent.h"

namespace hm::linux_pmu {

// Bit mask, in perf's numbering, of this architecture's integer registers, instruction pointer and flags
// (arch/*/include/uapi/asm/perf_regs.h).
#if defined(__x86_64__)
inline constexpr uint64_t kIntegerRegisters =
    0xff0fff;  // without ds, es, fs, gs: a 64-bit kernel refuses them
#elif defined(__aarch64__)
inline constexpr uint64_t kIntegerRegisters = 0x1ffffffff;
#else
inline constexpr uint64_t kIntegerRegisters = 0;
#endif

// Offset of the time in the payload of every sample that make_attr() lays out, after identifier, ip, pid and
// tid.
inline constexpr size_t kSampleTimeOffset = 24;
[[nodiscard]] perf_event_attr make_attr(const Event& event, const Intent& intent);

// Makes the ring also receive the records of programs, mappings and threads. One event per location needs
// this.
void add_side_band(perf_event_attr& attr);

// Whether the CPU can write many samples before it interrupts ("large PEBS": intel_pmu_large_pebs_flags() in
// arch/x86/events/intel/core.c). This requires a precise event, a fixed period, and no field that only an
// interrupt can fill.
struct Batching {
  bool possible = false;
  std::string reason;  // why batching is not possible
};
[[nodiscard]] Batching batching_of(const perf_event_attr& attr);

// A fallback: the feature that was given up so that the kernel accepts the event.
enum class Fallback {
  kPrecision,     // precise_ip lowered by one
  kKernelMode,    // not permitted
  kWeightStruct,  // an older kernel: one weight
  kPageSizes,     // an older kernel
};
[[nodiscard]] std::string_view describe(Fallback fallback);

// Whether the event occurs in kernel mode only (perf_sw_event_sched() in kernel/sched/core.c). In user mode
// alone its count would always be 0.
[[nodiscard]] bool only_in_kernel(const perf_event_attr& attr);

// Simplifies `attr` after the kernel refused it with `error` (an errno). Returns nullopt if nothing is left
// to give up. Modes that the user chose are kept.
std::optional<Fallback> fall_back(perf_event_attr& attr, int error, bool modes_chosen);

}  // namespace hm::linux_pmu
