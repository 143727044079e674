// SPDX-License-Identifier: MIT
// Moves the samples of the clock event from the interrupted instruction to the instruction that waited
// (symbol/code/waiting.h), and computes the address of its memory access. Runs as a pass over the finished
// samples.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "profile/needs.h"
#include "record/sample.h"
#include "symbol/resolver.h"

namespace hm::profile {

class LocationTable;
class Profile;
struct Samples;

// Returns true if the event is the kernel's clock and its samples hold the registers at the interrupt. For
// other events the processor itself reports the instruction, or reports it less exactly.
[[nodiscard]] bool is_attributable_clock(const perf_event_attr& attr);

// A sample and its registers, which point into the recording.
struct SampledRegisters {
  size_t sample = 0;  // row of the sample
  uint64_t ip = 0;
  record::Registers registers;
};

// Sets the kind of the sample's access and, as far as known, its width and address.
void set_access(Samples& samples, size_t sample, const symbol::DataAccess& access,
                std::optional<uint64_t> address);

// Moves the samples and fills in Event::clock of each attributable clock event. Must run before the functions
// of the locations are looked up. Does nothing for a recording from another architecture. Fills in the
// columns only if `needs` includes details, the counts always.
void attribute_clock(Profile& profile, LocationTable& locations, const symbol::Resolver& resolver,
                     std::span<const SampledRegisters> interrupts, const Needs& needs);

}  // namespace hm::profile
