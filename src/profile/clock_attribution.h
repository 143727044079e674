// SPDX-License-Identifier: MIT
// Moves the samples of the clock event from where the interrupt fell to the instruction that waited
// (symbol/code/waiting.h), and computes the address of what it accessed. A pass over the finished samples.
#pragma once

#include <cstdint>
#include <span>

#include "profile/needs.h"
#include "record/sample.h"
#include "symbol/resolver.h"

namespace hm::profile {

class PlaceTable;
class Profile;

// Whether the event is the kernel's clock with the registers at its interrupt: of other events the processor
// says which instruction it was, or says it less exactly.
[[nodiscard]] bool is_attributable_clock(const perf_event_attr& attr);

// A sample of such an event, and the registers, inside the recording.
struct Interrupt {
  size_t sample = 0;  // its row
  uint64_t ip = 0;
  record::Registers registers;
};

// Fills in Event::clock of each such event. Before the functions of the locations are looked up. Of a
// recording from another architecture nothing is attributed. The columns are
// filled in where `needs` has details, the counts always.
void attribute_clock(Profile& profile, PlaceTable& places, const symbol::Resolver& resolver,
                     std::span<const Interrupt> interrupts, const Needs& needs);

}  // namespace hm::profile
