// SPDX-License-Identifier: MIT
// Another process's memory (process_vm_readv(2)).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace hm::soft {

// Return false, with errno set, if not all bytes can be read or written.
bool read_memory(pid_t process, uint64_t address, void* bytes, size_t count);
bool write_memory(pid_t process, uint64_t address, const void* bytes, size_t count);

}  // namespace hm::soft
