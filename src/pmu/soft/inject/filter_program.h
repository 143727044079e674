// SPDX-License-Identifier: MIT
// What a seccomp(2) filter answers. A filter is a program for the classic BPF machine (Linux,
// Documentation/userspace-api/seccomp_filter.rst). It sees the number of a system call, the instruction
// pointer and the arguments, of which only the number is known here.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>

namespace hm::soft {

using FilterProgram = std::span<const sock_filter>;

// True if the filter lets the system call of x86-64 happen, whatever its arguments and its place in the code.
// False if that cannot be found out.
[[nodiscard]] bool allows(FilterProgram filter, uint32_t system_call);

// True if the filter has no other effects than to permit system calls, to fail them with an error, or to end
// the process. Others involve a handler or another process, which would see the engine's state.
[[nodiscard]] bool only_refuses(FilterProgram filter);

}  // namespace hm::soft
