// SPDX-License-Identifier: GPL-2.0-or-later
#include "session_link.h"

#include "pmu/soft/ring/process_link.h"
#include "valgrind_api.h"

namespace hm::soft::vg {
namespace {

struct ValgrindMemory {
  static void* map_shared(int fd, uint64_t bytes) {
    SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(bytes, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
    return sr_isError(mapped) ? nullptr : reinterpret_cast<void*>(sr_Res(mapped));
  }
  static void unmap(void* mapping, uint64_t bytes) {
    VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(mapping), bytes);
  }
  static int hide_descriptor(int fd) { return VG_(safe_fd)(fd); }
};

constinit ProcessLink<ValgrindMemory> g_link;

}  // namespace

bool open_session(const char* folder) {
  if (g_link.open_session(folder)) return true;
  VG_(umsg)
  ("hardmeter: process %d cannot reach its recording; it runs without being recorded\n", VG_(getpid)());
  return false;
}

bool open_ring() { return g_link.open_ring(); }
model::SessionCache* open_session_cache() { return g_link.open_session_cache(); }
Session* session() { return g_link.session(); }
RingWriter* ring() { return g_link.ring(); }

}  // namespace hm::soft::vg
