// SPDX-License-Identifier: MIT
// Reads from the kernel which frame of physical memory a page of this process lies in. Freestanding.
#pragma once

#include "model/page_frames.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Reads /proc/thread-self/pagemap, which requires CAP_SYS_ADMIN (the kernel's
// Documentation/admin-guide/mm/pagemap.rst). A page that is not present is populated first, as its next use
// would do (MADV_POPULATE_READ and MADV_POPULATE_WRITE of madvise(2), Linux 5.14).
model::PageFrame frame_from_kernel(uint64_t page, model::PageUse use);

// Whether this advice to madvise(2) frees the pages' memory, so that they may get other frames.
bool gives_memory_back(uint64_t advice);

// Called when a process begins, also a forked one. Records in the session if it uses frames but the kernel
// does not reveal them.
void note_missing_frames(Session& session);

}  // namespace hm::soft
