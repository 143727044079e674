// SPDX-License-Identifier: MIT
// Makes the row of an encoding: Zydis's description of it, and the fields for which it is valid.
#pragma once

#include <optional>

#include "pmu/soft/direct/decode/generate/probe.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// `opcode` gives encoding, map, opcode, variant and ModRM; a memory operand has mod 0 and rm 1. Returns
// nothing if no setting of the other fields makes an instruction.
std::optional<Row> make_row(const Prober& prober, const Probe& opcode);

}  // namespace hm::soft::direct
