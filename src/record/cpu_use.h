// SPDX-License-Identifier: MIT
// CPU time of the measured processes in user and kernel mode. Shows how much of their work a measurement of
// user mode alone has missed.
#pragma once

#include <optional>
#include <string>

#include "base/cpu_time.h"
#include "base/json.h"

namespace hm::record {

struct CpuUse {
  CpuTime time;
  bool kernel_measured = true;
  bool engine_included = false;  // both parts include the software PMU's own time

  bool operator==(const CpuUse&) const = default;
};

// Returns {"user_ns", "kernel_ns", "kernel_measured", "engine_included"}: the member "cpu_time" of a
// recording's run description and of results.
[[nodiscard]] nlohmann::json cpu_use_json(const CpuUse& use);
// Reads the member "cpu_time" of an object that may be damaged; nullopt if it is missing or invalid.
[[nodiscard]] std::optional<CpuUse> cpu_use_in(const nlohmann::json& json);

// Returns one line for the head of a result: "in the kernel, not measured: 42.3 % of 0.712 s CPU time". Empty
// if the kernel was measured.
[[nodiscard]] std::string unseen_kernel_text(const CpuUse& use);

}  // namespace hm::record
