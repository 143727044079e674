// SPDX-License-Identifier: MIT
// The job of the guest's first process: NUL-terminated items that begin with a letter, the last of which is
// kJobEnd. It arrives through a port once the kernel runs, so that a guest that waits for it can be saved and
// continued with other jobs.
#pragma once

#include <string_view>

namespace hm::soft::guest {

enum JobItem : char {
  kProgram = 'P',      // path of the program
  kArgument = 'A',     // its arguments, the first of which is its name
  kEnvironment = 'E',  // NAME=VALUE
  kFolder = 'C',       // its current folder
  kUser = 'U',         // user ID
  kGroup = 'G',        // group ID
  kMoreGroups = 'S',   // ID of a supplementary group
  kInput = 'I',        // the program reads the input port; without it, /dev/null
  kTime = 'N',         // the time now, in nanoseconds since 1970
  kRandom = 'R',       // characters chosen at random, for the kernel's random numbers
  kJobEnd = '.',       // the end of the job
};

// The last bytes of a job: kJobEnd without a value, behind the end of another item.
inline constexpr std::string_view kLastBytes("\0.\0", 3);

// What the first process writes to the job's port.
enum JobAnswer : char {
  kWaits = 'w',   // the kernel runs, and the job may come
  kHasJob = 'j',  // the job has arrived
};

// In the initial RAM disk: the paths of the kernel's modules, one a line, to be loaded in this order.
inline constexpr char kModulesPath[] = "/hardmeter/modules";
// Exists there if the kernel's tables are to be passed on (hypercall.h): samples need them.
inline constexpr char kTablesPath[] = "/hardmeter/tables";
// Folders of the guest's first root: the host's files, and the root of the program.
inline constexpr char kHostsRoot[] = "/host", kProgramsRoot[] = "/root";
// The tag of the host's root (9p), and the names of the ports (virtio-serial) for the job, and for the
// program's input and output.
inline constexpr char kRootTag[] = "hardmeter-root";
inline constexpr char kJobPort[] = "hardmeter-job", kInputPort[] = "hardmeter-in";
inline constexpr char kOutputPort[] = "hardmeter-out", kErrorPort[] = "hardmeter-err";
// A write to this I/O port (isa-debug-exit) ends QEMU at once.
inline constexpr unsigned kExitPort = 0x501;

}  // namespace hm::soft::guest
