// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/process_memory.h"

#include <sys/uio.h>

namespace hm::soft {

bool read_memory(pid_t process, uint64_t address, void* bytes, size_t count) {
  iovec local{bytes, count};
  iovec remote{reinterpret_cast<void*>(address), count};
  return ::process_vm_readv(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(count);
}

bool write_memory(pid_t process, uint64_t address, const void* bytes, size_t count) {
  iovec local{const_cast<void*>(bytes), count};
  iovec remote{reinterpret_cast<void*>(address), count};
  return ::process_vm_writev(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(count);
}

}  // namespace hm::soft
