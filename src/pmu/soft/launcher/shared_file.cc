// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/shared_file.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {
namespace {

// A guarded mapping. The signal handler reads it, so it is atomic and never freed.
struct Guarded {
  std::atomic<bool> taken;
  std::atomic<uintptr_t> start;  // 0: unmapped
  std::atomic<size_t> bytes;
  std::atomic<bool> lost;
};
Guarded g_guarded[SharedFile::kMaxFiles];
std::atomic<uint32_t> g_guarded_end;  // guards from this index on have never been taken
std::atomic<uint32_t> g_mapped;
struct sigaction g_before;

Guarded* guarded_at(uintptr_t address) {
  for (uint32_t i = 0; i < g_guarded_end; ++i) {
    uintptr_t start = g_guarded[i].start;
    if (start != 0 && address - start < g_guarded[i].bytes) return &g_guarded[i];
  }
  return nullptr;
}

void replace_lost_pages(int, siginfo_t* signal, void*) {
  int kept_errno = errno;
  Guarded* found = guarded_at(reinterpret_cast<uintptr_t>(signal->si_addr));
  auto page = reinterpret_cast<uintptr_t>(signal->si_addr) & ~(kPageBytes - 1);
  bool replaced =
      found != nullptr && ::mmap(reinterpret_cast<void*>(page), kPageBytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  if (replaced)
    found->lost = true;
  else
    ::sigaction(SIGBUS, &g_before, nullptr);  // the access is repeated and fails as without this handler
  errno = kept_errno;
}

// Keeps SIG_IGN: a program that is started inherits SIG_IGN, but no handler.
void begin_guarding() {
  if (g_mapped++ != 0) return;
  struct sigaction action {};
  action.sa_sigaction = replace_lost_pages;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(SIGBUS, nullptr, &g_before);
  bool is_ignored = (g_before.sa_flags & SA_SIGINFO) == 0 && g_before.sa_handler == SIG_IGN;
  if (!is_ignored) ::sigaction(SIGBUS, &action, nullptr);
}

void end_guarding() {
  if (--g_mapped != 0) return;
  struct sigaction now {};
  ::sigaction(SIGBUS, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == replace_lost_pages)
    ::sigaction(SIGBUS, &g_before, nullptr);
}

// Returns the index of a free guard, or kMaxFiles if all are taken.
uint32_t take_guard() {
  for (uint32_t i = 0; i < SharedFile::kMaxFiles; ++i) {
    if (g_guarded[i].taken || g_guarded[i].taken.exchange(true)) continue;
    uint32_t end = g_guarded_end;
    while (end <= i && !g_guarded_end.compare_exchange_weak(end, i + 1)) {
    }
    return i;
  }
  return SharedFile::kMaxFiles;
}

}  // namespace

Result<SharedFile> SharedFile::map(const UniqueFd& fd, size_t bytes) {
  uint32_t guard = take_guard();
  if (guard == kMaxFiles) return make_error(ErrorCode::kIo, "{} shared files are too many", kMaxFiles);
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) {
    Error error = make_error(ErrorCode::kIo, "cannot map shared memory: {}", errno_text(errno));
    g_guarded[guard].taken = false;
    return error;
  }
  g_guarded[guard].lost = false;
  g_guarded[guard].bytes = bytes;
  g_guarded[guard].start = reinterpret_cast<uintptr_t>(data);
  begin_guarding();
  return SharedFile(data, bytes, guard);
}

bool SharedFile::is_lost() const { return data_ != nullptr && g_guarded[guard_].lost; }

SharedFile::SharedFile(SharedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_), guard_(other.guard_) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(guard_, other.guard_);
  return *this;
}

SharedFile::~SharedFile() {
  if (data_ == nullptr) return;
  end_guarding();
  g_guarded[guard_].start = 0;
  ::munmap(data_, bytes_);
  g_guarded[guard_].taken = false;
}

}  // namespace hm::soft
