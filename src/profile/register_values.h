// SPDX-License-Identifier: MIT
#pragma once

#include "record/features.h"
#include "record/sample.h"
#include "symbol/unwind/registers.h"

namespace hm::profile {

// The registers of 64-bit x86 code; none known where a sample has those of other code, or none.
[[nodiscard]] symbol::RegisterValues register_values(const record::Registers& registers);

// Whether registers of the recording's machine can be read so.
[[nodiscard]] bool is_x86_64(const record::Features& features);

}  // namespace hm::profile
