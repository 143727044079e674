// SPDX-License-Identifier: MIT
// Asks the kernel which frame of physical memory a page of this process lies in. Freestanding.
#pragma once

#include "model/page_frames.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// By /proc/self/pagemap, which tells it to users with CAP_SYS_ADMIN (the kernel's
// Documentation/admin-guide/mm/pagemap.rst). A page that is not there yet is brought in, as its use would do
// next (MADV_POPULATE_READ and MADV_POPULATE_WRITE of madvise(2), Linux 5.14).
model::PageFrame ask_kernel_for_frame(uint64_t page, model::PageUse use);

// Whether this advice to madvise(2) takes pages away from their memory: they may get other frames.
bool gives_memory_back(uint64_t advice);

// To be called when a process begins, also a forked one: notes in the session if it is to go by frames, and
// the kernel does not tell it any.
void note_missing_frames(Session& session);

}  // namespace hm::soft
