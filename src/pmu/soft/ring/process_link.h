// SPDX-License-Identifier: MIT
// A profiled process's connection to the recorder: the session shared by all processes, and the process's own
// ring. Freestanding.
#pragma once

#include <stdint.h>

#include <concepts>

#include "model/session_cache.h"
#include "pmu/soft/ring/decimal.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/spare_ring.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// A file name that is unique to a process image: after an exec the pid is unchanged, but the time differs.
// For a secret name, `time_ns` is a random number.
struct RingFileName {
  RingFileName(uint32_t pid, uint64_t time_ns) {
    char* end = text;
    for (const char* c = kRingFilePrefix; *c != '\0'; ++c) *end++ = *c;
    end = write_decimal(end, pid);
    *end++ = '-';
    end = write_decimal(end, time_ns);
    length = static_cast<uint32_t>(end - text);
  }

  char text[sizeof(kRingFilePrefix) + kMaxDecimalDigits + 1 + kMaxDecimalDigits] = {};
  uint32_t length = 0;
};

// The engine's way of mapping files, which must not affect the program.
template <typename T>
concept EngineMemory = requires(int fd, void* mapping, uint64_t bytes) {
  // Maps the start of a file, shared and writable; null if the system refuses.
  { T::map_shared(fd, bytes) } -> std::same_as<void*>;
  { T::unmap(mapping, bytes) } -> std::same_as<void>;
  // Moves a descriptor to a number that the program does not use.
  { T::hide_descriptor(fd) } -> std::same_as<int>;
};

template <EngineMemory Memory>
class ProcessLink {
 public:
  // Maps the session in `folder`, or in the folder of the descriptor `passed` if it is not negative. Returns
  // false if it cannot be reached; the process then runs unrecorded.
  bool open_session(const char* folder, int passed = -1) {
    if (!open_files(folder, passed)) return false;
    auto* session = static_cast<Session*>(Memory::map_shared(session_fd_, sizeof(Session)));
    if (session == nullptr || session->magic != kSessionMagic) return false;
    session_ = session;
    wait_to_begin();
    return true;
  }

  // Makes this process's ring: at its start, and again in a forked child, to replace its parent's. On failure
  // returns false and counts the process as unrecorded.
  bool open_ring() {
    uint64_t bytes = ring_file_bytes(session_->ring_data_bytes);
    if (ring_file_ != nullptr) Memory::unmap(ring_file_, bytes);
    close_file(ring_fd_);
    ring_file_ = create_ring_file(bytes);
    if (ring_file_ == nullptr) {
      __atomic_fetch_add(&session_->unrecorded, 1, __ATOMIC_RELEASE);
      return false;
    }
    ring_ = RingWriter(ring_file_, session_, session_fd_);
    return true;
  }

  // Maps the last-level cache that the session's processes share; null if there is none or it cannot be
  // reached.
  model::SessionCache* open_session_cache() {
    if (session_->shares_cache == 0) return nullptr;
    int fd = open_at(folder_fd_, kSessionCacheFileName, kReadWrite);
    if (fd < 0) return nullptr;
    void* cache = Memory::map_shared(fd, model::SessionCache::bytes(session_->geometry.l3));
    system_call(kSysClose, fd);
    return static_cast<model::SessionCache*>(cache);
  }

  // Opens the session's descriptors, also again after close_files().
  bool open_files(const char* folder, int passed = -1) {
    folder_fd_ = passed >= 0 ? passed : open_at(kWorkingFolder, folder, kPathOnly);
    if (folder_fd_ < 0) return false;
    folder_fd_ = Memory::hide_descriptor(folder_fd_);
    session_fd_ = open_at(folder_fd_, kSessionFileName, kReadWrite);
    if (session_fd_ < 0) return false;
    session_fd_ = Memory::hide_descriptor(session_fd_);
    return true;
  }

  // Closes all of the session's descriptors. Mappings stay.
  void close_files() {
    close_file(ring_fd_);
    close_file(session_fd_);
    close_file(folder_fd_);
  }

  // Null until open_session() succeeded.
  [[nodiscard]] Session* session() { return session_; }

  // Null if this process is not recorded.
  [[nodiscard]] RingWriter* ring() { return ring_file_ == nullptr ? nullptr : &ring_; }

  // -1: none.
  [[nodiscard]] int folder_descriptor() const { return folder_fd_; }
  [[nodiscard]] int session_descriptor() const { return session_fd_; }
  [[nodiscard]] int ring_descriptor() const { return ring_fd_; }

 private:
  // Waits while a living recorder postpones the start of programs.
  void wait_to_begin() const {
    constexpr uint64_t kLookEveryNs = 1'000'000'000;
    while (__atomic_load_n(&session_->postponed, __ATOMIC_ACQUIRE) != 0 && recorder_lives(session_fd_))
      futex_wait(&session_->postponed, 1, kLookEveryNs);
  }

  // Flags of open(2) on x86-64.
  static constexpr int64_t kWorkingFolder = -100;  // AT_FDCWD
  static constexpr int64_t kReadWrite = 02;
  static constexpr int64_t kCreate = 0100;
  static constexpr int64_t kExclusive = 0200;
  static constexpr int64_t kCloseOnExec = 02000000;
  static constexpr int64_t kPathOnly = 010000000;

  static int open_at(int64_t folder_fd, const char* name, int64_t flags) {
    return static_cast<int>(
        system_call(kSysOpenat, folder_fd, pointer_argument(name), flags | kCloseOnExec, 0600));
  }

  static void close_file(int& fd) {
    if (fd >= 0) system_call(kSysClose, fd);
    fd = -1;
  }

  // A recorder with only CAP_SYS_PTRACE may measure other users' processes, but not open their files. Only
  // the recorder can list the folder, so the secret file name protects the ring.
  [[nodiscard]] bool recorder_is_another_user() const {
    return session_->recorder_user != 0 &&
           static_cast<int64_t>(session_->recorder_user) != system_call(kSysGeteuid);
  }

  // True if this process's files may not grow to `bytes`: the kernel would end it for trying (SIGXFSZ).
  static bool may_not_grow(uint64_t bytes) {
    constexpr int64_t kSysPrlimit = 302, kFileSize = 1;  // RLIMIT_FSIZE
    uint64_t soft_and_hard[2] = {};
    return system_call(kSysPrlimit, 0, kFileSize, 0, pointer_argument(soft_and_hard)) == 0 &&
           soft_and_hard[0] < bytes;
  }

  // Returns a number for a file's name. `is_secret`: anyone who knows the name can open the file.
  static uint64_t file_number(bool is_secret) {
    uint64_t number = monotonic_ns();
    if (is_secret) system_call(kSysGetrandom, pointer_argument(&number), sizeof(number));
    return number;
  }

  // Makes a ring file, with memory for the parts that every process uses. Returns -1 on failure.
  int make_ring_file(const RingFileName& name, uint64_t bytes) {
    int fd = open_at(folder_fd_, name.text, kReadWrite | kCreate | kExclusive);
    if (fd < 0) return -1;
    if (recorder_is_another_user()) system_call(kSysFchmod, fd, 0666);
    bool has_memory = system_call(kSysFtruncate, fd, static_cast<int64_t>(bytes)) == 0 &&
                      allocate_file(fd, 0, kFirstBytes) &&
                      allocate_file(fd, kDataOffset, bytes - kDataOffset);
    if (has_memory) return fd;
    remove_ring_file(name, fd);
    return -1;
  }

  void remove_ring_file(const RingFileName& name, int fd) const {
    system_call(kSysClose, fd);
    system_call(kSysUnlinkat, folder_fd_, pointer_argument(name.text), 0);
  }

  void* create_ring_file(uint64_t bytes) {
    const auto open_spare = [this](const char* name) { return open_at(folder_fd_, name, kReadWrite); };
    RingFileName name(static_cast<uint32_t>(system_call(kSysGetpid)),
                      file_number(recorder_is_another_user()));
    int fd = may_not_grow(bytes) ? take_spare_ring(*session_, session_fd_, open_spare)
                                 : make_ring_file(name, bytes);
    if (fd < 0) return nullptr;
    void* file = Memory::map_shared(fd, bytes);
    if (file == nullptr) {
      remove_ring_file(name, fd);
      return nullptr;
    }
    ring_fd_ = Memory::hide_descriptor(fd);
    lock_file(ring_fd_);
    return file;
  }

  int folder_fd_ = -1;  // lets a process that changes its root still find the folder
  int session_fd_ = -1;
  int ring_fd_ = -1;  // holds a lock that shows the process's id to the recorder
  Session* session_ = nullptr;
  void* ring_file_ = nullptr;
  RingWriter ring_;
};

}  // namespace hm::soft
