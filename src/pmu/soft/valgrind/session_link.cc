// SPDX-License-Identifier: GPL-2.0-or-later
#include "session_link.h"

#include "valgrind_api.h"

namespace hm::soft::vg {
namespace {

constexpr int64_t kSysFtruncate = 77;
constexpr int64_t kSysOpenat = 257;
constexpr int64_t kSysUnlinkat = 263;
constexpr Int kCloseOnExec = 02000000;  // O_CLOEXEC
constexpr Int kPathOnly = 010000000;    // O_PATH

int g_folder_fd = -1;  // a process that changes its root still finds the folder by it
int g_session_fd = -1;
Session* g_session = nullptr;
constinit RingWriter g_ring;
void* g_ring_file = nullptr;

// Maps `bytes` of the file shared and writable; null if the system refuses.
void* map_shared(int fd, uint64_t bytes) {
  SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(bytes, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
  return sr_isError(mapped) ? nullptr : reinterpret_cast<void*>(sr_Res(mapped));
}

void* create_ring_file(uint64_t bytes) {
  HChar name[64];
  VG_(snprintf)
  (name, sizeof(name), "%s%d-%llu", kRingFilePrefix, VG_(getpid)(),
   static_cast<unsigned long long>(monotonic_ns()));
  constexpr int64_t kFlags = VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL | kCloseOnExec;
  int64_t opened = system_call(kSysOpenat, g_folder_fd, pointer_argument(name), kFlags, 0600);
  if (opened < 0) return nullptr;
  int fd = static_cast<int>(opened);
  void* file = nullptr;
  if (system_call(kSysFtruncate, fd, static_cast<int64_t>(bytes)) == 0) file = map_shared(fd, bytes);
  VG_(close)(fd);
  if (file == nullptr) system_call(kSysUnlinkat, g_folder_fd, pointer_argument(name), 0);
  return file;
}

}  // namespace

bool open_session(const char* folder) {
  HChar path[512];
  VG_(snprintf)(path, sizeof(path), "%s/%s", folder, kSessionFileName);
  SysRes opened = VG_(open)(path, VKI_O_RDWR | kCloseOnExec, 0);
  if (!sr_isError(opened)) {
    g_session_fd = VG_(safe_fd)(static_cast<Int>(sr_Res(opened)));
    g_session = static_cast<Session*>(map_shared(g_session_fd, sizeof(Session)));
  }
  if (g_session == nullptr || g_session->magic != kSessionMagic) {
    VG_(umsg)
    ("hardmeter: process %d cannot reach its recording at %s; it runs without being recorded\n",
     VG_(getpid)(), folder);
    g_session = nullptr;
    return false;
  }
  SysRes opened_folder = VG_(open)(folder, kPathOnly | kCloseOnExec, 0);
  if (!sr_isError(opened_folder)) g_folder_fd = VG_(safe_fd)(static_cast<Int>(sr_Res(opened_folder)));
  return true;
}

bool open_ring() {
  uint64_t bytes = ring_file_bytes(g_session->ring_data_bytes);
  if (g_ring_file != nullptr) VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(g_ring_file), bytes);
  g_ring_file = create_ring_file(bytes);
  if (g_ring_file == nullptr) {
    __atomic_fetch_add(&g_session->unrecorded, 1, __ATOMIC_RELEASE);
    return false;
  }
  g_ring = RingWriter(g_ring_file, g_session, g_session_fd);
  return true;
}

Session* session() { return g_session; }
RingWriter* ring() { return g_ring_file == nullptr ? nullptr : &g_ring; }

}  // namespace hm::soft::vg
