// SPDX-License-Identifier: MIT
#pragma once

namespace hm::cli {

// From now on SIGINT, SIGTERM and SIGHUP are counted instead of ending this program; one that is ignored (as
// nohup does) stays ignored. Programs that are started get the signals as before.
void count_interrupts();

// How many there have been.
[[nodiscard]] int interrupts();

// The exit status of a command whose measurement has ended: `status`, but where that says nothing of an
// interrupt that ended it, 128 + its signal, as a shell would give it (130: Ctrl-C).
[[nodiscard]] int status_after(bool interrupted, int status);

// From now on a pipe that nobody reads gives EPIPE.
void survive_closed_pipes();

}  // namespace hm::cli
