// SPDX-License-Identifier: MIT
// Finds out for which fields an encoding is valid, by decoding many variants of it with Zydis.
#pragma once

#include "pmu/soft/direct/decode/generate/probe.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// Fills the parts of the row about validity, the scale of displacements, and counts that may be 0. `probe`
// must be valid.
void fill_limits(const Prober& prober, const Probe& probe, const Described& described, Row& row);

// Returns true if a segment prefix changes the address of the access.
bool takes_segment(const Prober& prober, const Probe& probe, unsigned access);

}  // namespace hm::soft::direct
