// SPDX-License-Identifier: MIT
#include "record/cpu_use.h"

#include <fmt/format.h>

#include "record/run_description.h"

namespace hm::record {
namespace {

bool flag_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

nlohmann::json cpu_use_json(const CpuUse& use) {
  return {{"user_ns", use.time.user_ns},
          {"kernel_ns", use.time.kernel_ns},
          {"kernel_measured", use.kernel_measured},
          {"engine_included", use.engine_included}};
}

std::optional<CpuUse> cpu_use_in(const nlohmann::json& json) {
  auto found = json.find("cpu_time");
  if (found == json.end() || !found->is_object()) return std::nullopt;
  return CpuUse{{number_in(*found, "user_ns"), number_in(*found, "kernel_ns")},
                flag_in(*found, "kernel_measured"),
                flag_in(*found, "engine_included")};
}

std::string unseen_kernel_text(const CpuUse& use) {
  if (use.kernel_measured) return {};
  return fmt::format("in the kernel, {}: {:.1f} % of {:.3f} s CPU time{}",
                     use.engine_included ? "not modelled" : "not measured", 100 * use.time.kernel_share(),
                     static_cast<double>(use.time.sum_ns()) / 1e9,
                     use.engine_included ? ", engine included" : "");
}

}  // namespace hm::record
