// SPDX-License-Identifier: MIT
// Where the costs of modelled cycles come from.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::record {

enum class CostSource : uint8_t {
  kStated,      // the geometry's latencies: an instruction takes a cycle, and nothing overlaps
  kTypical,     // of a typical processor
  kCalibrated,  // measured on one machine
};

// The value of "cost_source" in a recording's run description and in results.
constexpr std::string_view name_of(CostSource source) {
  return source == CostSource::kStated ? "stated" : source == CostSource::kTypical ? "typical" : "calibrated";
}
// Returns kStated for an unknown name.
constexpr CostSource cost_source_named(std::string_view name) {
  for (CostSource each : {CostSource::kTypical, CostSource::kCalibrated}) {
    if (name == name_of(each)) return each;
  }
  return CostSource::kStated;
}

}  // namespace hm::record
