// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace hm::soft {

// Whether the process is there and a child of ours, or a child's, and so on. Who has lost its parent is a
// child of the recorder, which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

}  // namespace hm::soft
