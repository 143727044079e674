// SPDX-License-Identifier: MIT
// Requests of the guest's first process to the plugin: a no-operation with a displacement that compilers do
// not emit. The plugin finds it when QEMU translates code. Without the plugin it has no effect.
#pragma once

#include <stdint.h>

namespace hm::soft::guest {

enum class Hypercall : uint64_t {
  kBegin = 1,  // measure from now on
  kPause = 2,  // measure no longer
  kEnd = 3,    // the program has ended; the argument is its exit status
  kTable = 4,  // a file about the kernel is in memory; the arguments are its KernelTable, address and size
};

// Files that describe the guest's kernel to the plugin, or to the recorder.
enum KernelTable : uint64_t { kSymbols, kModules, kNotes, kTypes };
inline constexpr uint64_t kKernelTables = 4;
// Their paths in the guest, their names in the session's folder, and the greatest size of each.
inline constexpr const char* kTablePaths[] = {"/proc/kallsyms", "/proc/modules", "/sys/kernel/notes",
                                              "/sys/kernel/btf/vmlinux"};
inline constexpr const char* kTableNames[] = {"kallsyms", "modules", "notes", "btf"};
// The plugin's own file (kernel_code.h).
inline constexpr const char* kCodePath = "/proc/kcore";
inline constexpr const char* kCodeName = "kcore";
inline constexpr uint64_t kMaxTableBytes = uint64_t{1} << 26;

inline constexpr uint32_t kHypercallMark = 0x7468'6d68;
inline constexpr uint8_t kHypercallCode[] = {0x0f,
                                             0x1f,
                                             0x84,
                                             0x00,
                                             kHypercallMark & 0xff,
                                             kHypercallMark >> 8 & 0xff,
                                             kHypercallMark >> 16 & 0xff,
                                             kHypercallMark >> 24 & 0xff};

// Registers: rax is the call; rdi, rsi and rdx are its arguments.
inline void hypercall(Hypercall call, uint64_t argument = 0, uint64_t second = 0, uint64_t third = 0) {
  asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00\n.long 0x74686d68"
               :
               : "a"(static_cast<uint64_t>(call)), "D"(argument), "S"(second), "d"(third)
               : "memory");
}

}  // namespace hm::soft::guest
