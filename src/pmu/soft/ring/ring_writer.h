// SPDX-License-Identifier: MIT
// The producer's end of a ring laid out as the kernel's own (perf_event_open(2), "MMAP layout").
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/doorbell.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

class RingWriter {
 public:
  RingWriter() = default;
  // `file` is a zeroed mapping of ring_file_bytes(session->ring_data_bytes).
  RingWriter(void* file, Session* session, int session_fd)
      : page_(static_cast<perf_event_mmap_page*>(file)),
        status_(reinterpret_cast<RingStatus*>(static_cast<char*>(file) + kStatusOffset)),
        data_(static_cast<char*>(file) + kDataOffset),
        session_(session),
        session_fd_(session_fd) {
    page_->data_offset = kDataOffset;
    page_->data_size = session->ring_data_bytes;
  }

  [[nodiscard]] RingStatus& status() { return *status_; }

  // Makes the ring visible to the recorder.
  void open(uint32_t pid) {
    status_->pid = pid;
    status_->state = kRingLive;
    __atomic_store_n(&status_->magic, kRingMagic, __ATOMIC_RELEASE);
    __atomic_fetch_add(&session_->rings_created, 1, __ATOMIC_RELEASE);
    ring_doorbell(*session_);
  }

  void close() {
    __atomic_store_n(&status_->state, uint32_t{kRingFinished}, __ATOMIC_RELEASE);
    ring_doorbell(*session_);
  }

  // Copies one whole record (a multiple of 8 bytes, smaller than the ring). If the ring is full, waits up to
  // kMaxWaitNs for the recorder to free space. Then drops and counts records until space is free again. Drops
  // the record without counting it if the recorder has ended, or no longer reads this ring.
  void write(const void* record, uint32_t bytes) {
    uint64_t head = page_->data_head;
    if (!has_space(head, bytes) && !wait_for_space(head, bytes)) {
      if (!detached_) __atomic_fetch_add(&status_->lost, 1, __ATOMIC_RELAXED);
      return;
    }
    in_vain_ = false;
    copy_in(head, static_cast<const char*>(record), bytes);
    __atomic_store_n(&page_->data_head, head + bytes, __ATOMIC_RELEASE);
    uint64_t half = page_->data_size / 2;
    if (head / half != (head + bytes) / half) ring_doorbell(*session_);
  }

  [[nodiscard]] bool detached() const { return detached_; }

 private:
  // A running recorder frees space within milliseconds. A recorder that needs seconds is stopped, or blocked
  // on its output.
  static constexpr uint64_t kMaxWaitNs = 2'000'000'000;
  static constexpr uint64_t kLookNs = 100'000'000;  // then check that the recorder still lives
  static constexpr uint64_t kMinLooks = kMaxWaitNs / kLookNs;

  [[nodiscard]] bool has_space(uint64_t head, uint32_t bytes) const {
    return head + bytes - __atomic_load_n(&page_->data_tail, __ATOMIC_SEQ_CST) <= page_->data_size;
  }

  bool wait_for_space(uint64_t head, uint32_t bytes) {
    bool found = false;
    uint64_t begin_ns = monotonic_ns();
    // Checks are counted, too, because time passes for a process that is itself stopped.
    for (uint64_t looks = 0; !found && !detached_ && !gives_up(looks, begin_ns); ++looks) {
      uint32_t seen = __atomic_load_n(&status_->consumer_futex, __ATOMIC_ACQUIRE);
      __atomic_store_n(&status_->producer_waits, 1u, __ATOMIC_SEQ_CST);
      found = has_space(head, bytes);
      if (found) break;
      __atomic_fetch_add(&status_->waits, 1, __ATOMIC_RELAXED);
      ring_doorbell(*session_);
      futex_wait(&status_->consumer_futex, seen, kLookNs);
      found = has_space(head, bytes);
      detached_ = __atomic_load_n(&status_->unread, __ATOMIC_ACQUIRE) != 0 || !recorder_lives(session_fd_);
    }
    __atomic_store_n(&status_->producer_waits, 0u, __ATOMIC_RELEASE);
    return found && !detached_;
  }

  // After one wait in vain, neither this process nor the session's other processes wait again.
  bool gives_up(uint64_t looks, uint64_t begin_ns) {
    if (in_vain_ || __atomic_load_n(&session_->stalled, __ATOMIC_ACQUIRE) != 0) return true;
    if (looks < kMinLooks || monotonic_ns() - begin_ns < kMaxWaitNs) return false;
    in_vain_ = true;
    __atomic_store_n(&session_->stalled, 1u, __ATOMIC_RELEASE);
    return true;
  }

  void copy_in(uint64_t head, const char* record, uint32_t bytes) {
    uint64_t offset = head & (page_->data_size - 1);
    uint64_t first = page_->data_size - offset < bytes ? page_->data_size - offset : bytes;
    __builtin_memcpy(data_ + offset, record, first);
    __builtin_memcpy(data_, record + first, bytes - first);
  }

  perf_event_mmap_page* page_ = nullptr;
  RingStatus* status_ = nullptr;
  char* data_ = nullptr;
  Session* session_ = nullptr;
  int session_fd_ = -1;
  bool detached_ = false;
  bool in_vain_ = false;  // the last wait for space timed out
};

}  // namespace hm::soft
