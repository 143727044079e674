// SPDX-License-Identifier: MIT
// The processors whose events are known here, by name.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "event/hardware/cpu_model.h"

namespace hm::event {

// What decides the encodings.
enum class Generation : uint8_t {
  kPentium4,
  kPentium4Prescott,
  kSkylake,
  kSkylakeX,
  kCascadeLakeX,
  kIceLake,
  kIceLakeX,
  kSapphireRapids,
  kAlderLake,  // hybrid: Golden Cove or Raptor Cove, and Gracemont
  kZen2,
  kZen3,
  kZen4,
  kNeoverseN1,
  kNeoverseV1,
  kNeoverseN2,
  kNeoverseV2,
};

struct KnownCpu {
  Generation generation;
  std::string_view name;   // "skylake-sp"
  std::string_view title;  // "Intel Xeon Scalable (Skylake-X)"
  CpuModel model;          // one that has it: what encode() is asked with for this name
};

[[nodiscard]] std::span<const KnownCpu> known_cpus();

// By name; nullptr if there is none.
[[nodiscard]] const KnownCpu* find_known_cpu(std::string_view name);

// The one that this processor is; nullptr where it is none of them.
[[nodiscard]] const KnownCpu* identify(const CpuModel& cpu);

}  // namespace hm::event
