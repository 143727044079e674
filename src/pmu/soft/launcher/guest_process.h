// SPDX-License-Identifier: MIT
// The process that starts QEMU, and is its program's connection to hardmeter's input and output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pmu/soft/launcher/guest_snapshot.h"

namespace hm::soft {

// File descriptors of QEMU, above all that are open here: the input and output of the guest's program, the
// port of its job (guest/guest_job.h), and the monitor.
inline constexpr int kGuestInput = 200, kGuestOutput = 201, kGuestErrors = 202;
inline constexpr int kJobSocket = 203, kMonitorSocket = 204;

// True if standard input is a pipe or a file: something that the program is meant to read.
[[nodiscard]] bool has_input();

struct GuestRun {
  std::vector<std::string> words;                        // QEMU's command
  std::function<std::vector<std::string>()> boot_words;  // what it has in addition if the guest boots
  std::string session_folder;
  std::string console;  // path of the file for the output of the guest's console, and of QEMU
  std::string job;
  GuestSnapshot snapshot;
};

// Continues the guest's snapshot, or boots the guest and saves a snapshot. Then gives it its job, passes on
// the input and output of its program, and ends as QEMU does.
[[noreturn]] void run_guest(const GuestRun& run);

}  // namespace hm::soft
