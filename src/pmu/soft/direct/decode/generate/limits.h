// SPDX-License-Identifier: MIT
// Where an encoding is valid, found by asking Zydis of many settings of the rest.
#pragma once

#include "pmu/soft/direct/decode/generate/probe.h"
#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {

// Fills what the row says of validity, of the scale of displacements and of counts that may be 0. `probe` is
// valid.
void fill_limits(const Prober& prober, const Probe& probe, const Described& described, Row& row);

// Whether a segment prefix moves the access.
bool takes_segment(const Prober& prober, const Probe& probe, unsigned access);

}  // namespace hm::soft::direct
