// SPDX-License-Identifier: MIT
// Computes the data addresses of precise samples that hold registers but no address, such as those of a text
// dump, from the memory operand of the sampled instruction. The original hardmeter's users did this by hand.
#pragma once

#include <optional>
#include <span>

#include "profile/clock_attribution.h"
#include "record/features.h"
#include "symbol/code/data_access.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Returns the moment of the registers in precise samples. The software PMU reads them before the instruction,
// Intel's PEBS after it (Intel SDM, volume 3, "Processor Event Based Sampling"). Returns nullopt for other
// hardware: with AMD's IBS they are those of a later interrupt.
[[nodiscard]] std::optional<symbol::RegistersAt> moment_of_registers(const record::Features& features);

// Returns true if the samples of the event hold the registers at the very instruction, and no data address.
// If the PMU records addresses, a sample without one is of an access that the PMU does not attribute the
// event to.
[[nodiscard]] bool has_precise_registers(const perf_event_attr& attr);

// Fills in the address, kind and width of the access of each of `unaddressed`, as far as the code of its
// instruction is available and the registers determine them. Must run before data objects are looked up.
// Returns the number of addresses, 0 for a recording from another architecture.
size_t compute_addresses(Profile& profile, const symbol::Resolver& resolver, symbol::RegistersAt when,
                         std::span<const SampledRegisters> unaddressed);

}  // namespace hm::profile
