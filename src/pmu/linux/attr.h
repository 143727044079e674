// SPDX-License-Identifier: MIT
// Makes a perf_event_attr from an intent, and falls back to an easier one after an error: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pmu/linux/intent.h"

namespace hm::linux_pmu {

// perf's numbers of this architecture's integer registers, instruction pointer and flags
// (arch/*/include/uapi/asm/perf_regs.h).
#if defined(__x86_64__)
inline constexpr uint64_t kIntegerRegisters =
    0xff0fff;  // without ds, es, fs, gs: a 64-bit kernel refuses them
#elif defined(__aarch64__)
inline constexpr uint64_t kIntegerRegisters = 0x1ffffffff;
#else
inline constexpr uint64_t kIntegerRegisters = 0;
#endif

// In the payload of every sample that make_attr() lays out: identifier, ip, pid and tid come before.
inline constexpr size_t kSampleTimeOffset = 24;
[[nodiscard]] perf_event_attr make_attr(const Event& event, const Intent& intent);

// The ring then also gets the records of programs, mappings and threads: one event of each place has to.
void add_side_band(perf_event_attr& attr);

// Whether the CPU can write many samples before it interrupts ("large PEBS": intel_pmu_large_pebs_flags() in
// arch/x86/events/intel/core.c): a precise event with a fixed period and no field that only an interrupt can
// fill.
struct Batching {
  bool possible = false;
  std::string reason;  // why not
};
[[nodiscard]] Batching batching_of(const perf_event_attr& attr);

// A fallback: what was given up so that the kernel accepts the event.
enum class Fallback {
  kPrecision,     // one level less
  kKernelMode,    // not permitted
  kWeightStruct,  // an older kernel: one weight
  kPageSizes,     // an older kernel
};
[[nodiscard]] std::string_view describe(Fallback fallback);

// Whether the event comes about in kernel mode only (perf_sw_event_sched() in kernel/sched/core.c): in user
// mode alone it would always count 0.
[[nodiscard]] bool only_in_kernel(const perf_event_attr& attr);

// Makes `attr` easier after the kernel refused it with `error` (an errno); nullopt where there is nothing
// more to give up. Modes that the user chose are kept.
std::optional<Fallback> fall_back(perf_event_attr& attr, int error, bool modes_chosen);

}  // namespace hm::linux_pmu
