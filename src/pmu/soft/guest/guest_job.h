// SPDX-License-Identifier: MIT
// The job of the guest's first process: a file in the initial RAM disk, of NUL-terminated items that begin
// with a letter.
#pragma once

namespace hm::soft::guest {

enum JobItem : char {
  kModule = 'M',       // path of a kernel module, to be loaded in this order
  kProgram = 'P',      // path of the program
  kArgument = 'A',     // its arguments, the first of which is its name
  kEnvironment = 'E',  // NAME=VALUE
  kFolder = 'C',       // its current folder
  kUser = 'U',         // user ID
  kGroup = 'G',        // group ID
  kMoreGroups = 'S',   // ID of a supplementary group
  kInput = 'I',        // the program reads the input port; without it, /dev/null
  kTables = 'T',       // pass on the kernel's tables (hypercall.h): samples need them
};

inline constexpr char kJobPath[] = "/hardmeter/job";
// Folders of the guest's first root: the host's files, and the root of the program.
inline constexpr char kHostsRoot[] = "/host", kProgramsRoot[] = "/root";
// The tag of the host's root (9p), and the names of the ports (virtio-serial) for the program's input
// and output.
inline constexpr char kRootTag[] = "hardmeter-root";
inline constexpr char kInputPort[] = "hardmeter-in";
inline constexpr char kOutputPort[] = "hardmeter-out", kErrorPort[] = "hardmeter-err";
// A write to this I/O port (isa-debug-exit) ends QEMU at once.
inline constexpr unsigned kExitPort = 0x501;

}  // namespace hm::soft::guest
