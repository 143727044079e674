// SPDX-License-Identifier: MIT
// Access to another process's memory (process_vm_readv(2)).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace hm::soft {

// Return false and set errno unless all bytes can be read or written.
bool read_memory(pid_t process, uint64_t address, void* bytes, size_t count);
bool write_memory(pid_t process, uint64_t address, const void* bytes, size_t count);

}  // namespace hm::soft
