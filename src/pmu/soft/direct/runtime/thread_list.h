// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Calls visit(id) for each thread of the process that /proc/self/task lists.
void for_each_thread(void (*visit)(uint32_t thread));

}  // namespace hm::soft::direct
