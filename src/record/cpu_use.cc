// SPDX-License-Identifier: MIT
#include "record/cpu_use.h"

#include <fmt/format.h>

#include "record/run_description.h"

namespace hm::record {
namespace {

constexpr const char *kTime = "time", *kGuest = "guest";  // texts of KernelView

std::string_view command_text(const CpuUse& use) {
  if (!use.engine_included || use.time.kernel_share() <= kKernelShareWorthALook) return {};
  return use.view == KernelView::kGuest ? "; `hardmeter stat --pmu=guest -k` counts its misses"
                                        : "; `hardmeter record -k -e clock` shows it";
}

}  // namespace

nlohmann::json cpu_use_json(const CpuUse& use) {
  return {{"user_ns", use.time.user_ns},
          {"kernel_ns", use.time.kernel_ns},
          {"kernel_measured", use.kernel_measured},
          {"engine_included", use.engine_included},
          {"kernel_view", use.view == KernelView::kGuest ? kGuest : kTime}};
}

std::optional<CpuUse> cpu_use_in(const nlohmann::json& json) {
  auto found = json.find("cpu_time");
  if (found == json.end() || !found->is_object()) return std::nullopt;
  return CpuUse{{number_in(*found, "user_ns"), number_in(*found, "kernel_ns")},
                flag_in(*found, "kernel_measured"),
                flag_in(*found, "engine_included"),
                text_in(*found, "kernel_view") == kGuest ? KernelView::kGuest : KernelView::kByTime};
}

std::string unseen_kernel_text(const CpuUse& use) {
  if (use.kernel_measured) return {};
  return fmt::format("in the kernel, {}: {:.1f} % of {:.3f} s CPU time{}{}",
                     use.engine_included ? "not modelled" : "not measured", 100 * use.time.kernel_share(),
                     static_cast<double>(use.time.sum_ns()) / 1e9,
                     use.engine_included ? ", engine included" : "", command_text(use));
}

}  // namespace hm::record
