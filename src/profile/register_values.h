// SPDX-License-Identifier: MIT
#pragma once

#include "record/features.h"
#include "record/sample.h"
#include "symbol/unwind/registers.h"

namespace hm::profile {

// Returns the registers of 64-bit x86 code; all unknown if a sample has registers of other code, or none.
[[nodiscard]] symbol::RegisterValues register_values(const record::Registers& registers);

// Returns true if register_values() can read the registers of the recording's machine.
[[nodiscard]] bool is_x86_64(const record::Features& features);

}  // namespace hm::profile
