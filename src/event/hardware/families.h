// SPDX-License-Identifier: MIT
// One function a family of processors; encode() chooses among them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/encoding.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {

// Intel's cores since Skylake, and the performance cores of a hybrid processor. `pmu` and `type` are the
// encodings'.
[[nodiscard]] Result<std::vector<Encoding>> encode_intel(EventId id, const KnownCpu& known, Use use,
                                                         std::string_view pmu, std::optional<uint32_t> type);

// Alder Lake's efficient cores: PMU cpu_atom.
[[nodiscard]] Result<std::vector<Encoding>> encode_gracemont(EventId id, const KnownCpu& known);

// Pentium 4, of either kind.
[[nodiscard]] Result<std::vector<Encoding>> encode_pentium4(EventId id, const KnownCpu& known);

// AMD Zen: samples through IBS where that can tell the event, else the core's counters.
[[nodiscard]] Result<std::vector<Encoding>> encode_zen(EventId id, const KnownCpu& known, Use use);
[[nodiscard]] std::optional<Encoding> encode_ibs(EventId id, const KnownCpu& known);

// Arm Neoverse: samples through SPE where that can tell the event, else the core's counters.
[[nodiscard]] Result<std::vector<Encoding>> encode_neoverse(EventId id, const KnownCpu& known, Use use);
[[nodiscard]] std::optional<Encoding> encode_spe(EventId id);

}  // namespace hm::event
