// SPDX-License-Identifier: MIT
// One function for each family of processors; encode() chooses among them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/encoding.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {

// Encodes for Intel's cores since Skylake, including the performance cores of hybrid processors. `pmu` and
// `type` are copied to the encodings.
[[nodiscard]] Result<std::vector<Encoding>> encode_intel(EventId id, const KnownCpu& known, Use use,
                                                         std::string_view pmu, std::optional<uint32_t> type);

// PMU of the cores on the low-power island of Arrow Lake.
inline constexpr std::string_view kLowPowerPmu = "cpu_lowpower";

// Encodes for Intel's efficient cores since Gracemont. `pmu` and `type` are copied to the encodings.
[[nodiscard]] Result<std::vector<Encoding>> encode_intel_atom(EventId id, const KnownCpu& known,
                                                              std::string_view pmu,
                                                              std::optional<uint32_t> type);

// Encodes for both kinds of Pentium 4.
[[nodiscard]] Result<std::vector<Encoding>> encode_pentium4(EventId id, const KnownCpu& known);

// True for the generations with AMD's Last Branch Record, version 2, and IBS' filter of L3 misses.
[[nodiscard]] constexpr bool is_zen4_or_later(Generation generation) {
  return generation == Generation::kZen4 || generation == Generation::kZen5 ||
         generation == Generation::kZen6;
}

// Encode for AMD Zen: samples use IBS if it can identify the event, else the core's counters.
[[nodiscard]] Result<std::vector<Encoding>> encode_zen(EventId id, const KnownCpu& known, Use use);
[[nodiscard]] std::optional<Encoding> encode_ibs(EventId id, const KnownCpu& known);

// Encode for Arm Neoverse: samples use SPE if it can identify the event, else the core's counters.
[[nodiscard]] Result<std::vector<Encoding>> encode_neoverse(EventId id, const KnownCpu& known, Use use);
[[nodiscard]] std::optional<Encoding> encode_spe(EventId id);

}  // namespace hm::event
