// SPDX-License-Identifier: MIT
// Threads that cannot release their core because they are blocked in the kernel in the middle of their code.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Returns true if the thread of this process is blocked in the kernel outside of a system call: in a page
// fault, which another thread (userfaultfd(2)) or a file system (FUSE) may have to resolve, or stopped by a
// debugger. Returns false if it runs or waits for a CPU, or if /proc cannot be read.
bool is_blocked_in_its_code(uint32_t tid);

}  // namespace hm::soft::direct
