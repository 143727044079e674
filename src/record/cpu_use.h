// SPDX-License-Identifier: MIT
// The CPU time that measured processes took, by mode: says how much of their work a measurement that sees
// user mode alone has not seen.
#pragma once

#include <optional>
#include <string>

#include "base/cpu_time.h"
#include "base/json.h"

namespace hm::record {

struct CpuUse {
  CpuTime time;
  bool kernel_measured = true;
  bool engine_included = false;  // the software PMU's own time is in both parts

  bool operator==(const CpuUse&) const = default;
};

// {"user_ns", "kernel_ns", "kernel_measured", "engine_included"}: the member "cpu_time" of a recording's run
// description and of results.
[[nodiscard]] nlohmann::json cpu_use_json(const CpuUse& use);
// The member "cpu_time" of an object that may be damaged; nullopt if there is none.
[[nodiscard]] std::optional<CpuUse> cpu_use_in(const nlohmann::json& json);

// One line for a result's head: "in the kernel, not measured: 42.3 % of 0.712 s CPU time". Empty if the
// kernel was measured.
[[nodiscard]] std::string unseen_kernel_text(const CpuUse& use);

}  // namespace hm::record
