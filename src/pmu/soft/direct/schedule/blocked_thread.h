// SPDX-License-Identifier: MIT
// Threads that cannot stop, as they wait in the kernel in the midst of their code.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Whether the thread of this process is blocked in the kernel outside of a system call: in a page fault,
// which another thread may have to resolve (userfaultfd(2)) or a file system (FUSE), or stopped by a
// debugger. False if it runs or waits for a CPU, and if /proc cannot be read.
bool is_blocked_in_its_code(uint32_t tid);

}  // namespace hm::soft::direct
