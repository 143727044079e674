// SPDX-License-Identifier: MIT
// The row of an encoding: what Zydis says of it, and where its encoding is valid.
#pragma once

#include <optional>

#include "pmu/soft/direct/decode/generate/probe.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// `opcode` gives encoding, map, opcode, variant and ModRM; a memory operand is asked for with mod 0 and rm 1.
// Nothing: whatever the rest is, it is no instruction.
std::optional<Row> make_row(const Prober& prober, const Probe& opcode);

}  // namespace hm::soft::direct
