// SPDX-License-Identifier: MIT
// Restartable sequences of a stopped thread (rseq(2)). The kernel restarts a sequence only at a return to the
// program's own instruction pointer, so whoever changes the instruction pointer has to do it.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>

namespace hm::soft {

struct RestartArea {
  uint64_t address = 0;  // 0: the thread has registered none, or the kernel is older than 5.13
  uint32_t signature = 0;
};

RestartArea restart_area_of(pid_t thread);

// If the thread is within a restartable sequence, moves its instruction pointer to the sequence's abort
// address, as the kernel would after an interruption.
void restart_sequence(pid_t process, const RestartArea& area, user_regs_struct& registers);

}  // namespace hm::soft
