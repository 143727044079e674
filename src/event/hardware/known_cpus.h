// SPDX-License-Identifier: MIT
// Processors with known events, by name.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "event/hardware/cpu_model.h"

namespace hm::event {

// Determines the encodings.
enum class Generation : uint8_t {
  kPentium4,
  kPentium4Prescott,
  kSkylake,
  kSkylakeX,
  kCascadeLakeX,
  kIceLake,
  kIceLakeX,
  kSapphireRapids,
  kGraniteRapids,
  kSierraForest,      // Crestmont only
  kGrandRidge,        // Crestmont only
  kClearwaterForest,  // Darkmont only
  kAlderLake,         // hybrid: Golden Cove or Raptor Cove, and Gracemont
  kAlderLakeN,        // Gracemont only
  kMeteorLake,        // hybrid: Redwood Cove and Crestmont
  kArrowLake,         // hybrid: Lion Cove and Skymont, and in some Crestmont
  kLunarLake,         // hybrid: Lion Cove and Skymont
  kPantherLake,       // hybrid: Cougar Cove and Darkmont
  kZen2,
  kZen3,
  kZen4,
  kZen5,
  kZen6,
  kNeoverseN1,
  kNeoverseV1,
  kNeoverseN2,
  kNeoverseV2,
  kNeoverseN3,
  kNeoverseV3,
};

struct KnownCpu {
  Generation generation;
  std::string_view name;   // "skylake-sp"
  std::string_view title;  // "Intel Xeon Scalable (Skylake-X)"
  CpuModel model;          // example model, which encode() gets for this name
};

[[nodiscard]] std::span<const KnownCpu> known_cpus();

// Finds a processor by name; nullptr if there is none.
[[nodiscard]] const KnownCpu* find_known_cpu(std::string_view name);

// Identifies a processor; nullptr if it is not a known one.
[[nodiscard]] const KnownCpu* identify(const CpuModel& cpu);

}  // namespace hm::event
