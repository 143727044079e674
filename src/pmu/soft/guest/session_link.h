// SPDX-License-Identifier: MIT
// QEMU's connection to the recorder: the session, and the ring of the guest.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "pmu/soft/ring/process_link.h"

namespace hm::soft::guest {

struct HostMemory {
  static void* map_shared(int fd, uint64_t bytes) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
  }
  static void unmap(void* mapping, uint64_t bytes) { ::munmap(mapping, bytes); }
  static int hide_descriptor(int fd) { return fd; }
};

using SessionLink = ProcessLink<HostMemory>;

// The environment variable with the session's folder: a command line could be read by all users.
inline constexpr char kSessionVariable[] = "HARDMETER_GUEST_SESSION";

}  // namespace hm::soft::guest
