// SPDX-License-Identifier: GPL-2.0-or-later
// The memory of the program that the kernel reads and writes in system calls. Its lines pass through the
// models after the call, as accesses by the instruction that made the call.
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Models the buffers of a system call of this thread, whose time slice has ended.
void model_call_buffers(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

}  // namespace hm::soft::vg
