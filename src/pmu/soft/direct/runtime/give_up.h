// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Ends the process with one sentence on standard error, and a number that belongs to it.
[[noreturn]] void give_up(const char* sentence);
[[noreturn]] void give_up(const char* sentence, uint64_t number);

}  // namespace hm::soft::direct
