// SPDX-License-Identifier: MIT
// CPU time of the measured processes in user and kernel mode. Shows how much of their work a measurement of
// user mode alone has missed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/cpu_time.h"
#include "base/json.h"

namespace hm::record {

// How this machine can show what the kernel does.
enum class KernelView : uint8_t {
  kByTime,  // hardmeter record -k -e clock
  kGuest,   // hardmeter stat --pmu=guest -k, which counts the kernel's misses
};

struct CpuUse {
  CpuTime time;
  bool kernel_measured = true;
  bool engine_included = false;  // both parts include the software PMU's own time
  KernelView view = KernelView::kByTime;

  bool operator==(const CpuUse&) const = default;
};

// A larger share of the CPU time in the kernel is worth a look: reports name the command that shows it.
inline constexpr double kKernelShareWorthALook = 0.05;

// Returns {"user_ns", "kernel_ns", "kernel_measured", "engine_included", "kernel_view" ("time" or "guest")}:
// the member "cpu_time" of a recording's run description and of results.
[[nodiscard]] nlohmann::json cpu_use_json(const CpuUse& use);
// Reads the member "cpu_time" of an object that may be damaged; nullopt if it is missing or invalid.
[[nodiscard]] std::optional<CpuUse> cpu_use_in(const nlohmann::json& json);

// Returns one line for the head of a result: "in the kernel, not measured: 42.3 % of 0.712 s CPU time". If
// the software PMU measured, and the share is worth a look, the line ends with the command that shows the
// kernel. Empty if the kernel was measured.
[[nodiscard]] std::string unseen_kernel_text(const CpuUse& use);

}  // namespace hm::record
