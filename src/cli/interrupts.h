// SPDX-License-Identifier: MIT
#pragma once

namespace hm::cli {

// Counts SIGINT, SIGTERM and SIGHUP from now on, instead of ending this program. An ignored signal (as by
// nohup) stays ignored. Child programs start with the original signal actions.
void count_interrupts();

// Returns the number of signals counted.
[[nodiscard]] int interrupts();

// Returns the exit status of a command after its measurement: `status`, or 128 + the signal (130 for Ctrl-C),
// as a shell does, if an interrupt ended the command and `status` does not show it.
[[nodiscard]] int status_after(bool interrupted, int status);

// From now on, writing fails with EPIPE if a pipe has no reader, and with EFBIG if the file may not grow
// (ulimit -f), instead of ending this program by SIGPIPE or SIGXFSZ.
void survive_failed_writes();

}  // namespace hm::cli
