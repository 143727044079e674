// SPDX-License-Identifier: MIT
// Instructions whose result is not the same in two native runs, or that end the comparison.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <vector>

namespace hm::direct_test {

// Returns why the instruction is not compared; null if it is.
const char* reason_to_leave_out(const ZydisDecodedInstruction& instruction);
// The same of bytes that Zydis cannot decode.
const char* reason_to_leave_out(const std::vector<uint8_t>& unknown);

}  // namespace hm::direct_test
