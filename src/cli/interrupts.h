// SPDX-License-Identifier: MIT
#pragma once

namespace hm::cli {

// From now on SIGINT, SIGTERM and SIGHUP are counted instead of ending this program; one that is ignored (as
// nohup does) stays ignored. Programs that are started get the signals as before.
void count_interrupts();

// How many there have been.
[[nodiscard]] int interrupts();

// From now on a pipe that nobody reads gives EPIPE.
void survive_closed_pipes();

}  // namespace hm::cli
