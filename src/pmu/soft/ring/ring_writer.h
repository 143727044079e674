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

  // The ring becomes visible to the recorder.
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

  // Copies one whole record (a multiple of 8 bytes, smaller than the ring). Waits while the ring is full;
  // drops the record once the recorder has ended, or reads this ring no more.
  void write(const void* record, uint32_t bytes) {
    uint64_t head = page_->data_head;
    if (!wait_for_space(head, bytes)) return;
    copy_in(head, static_cast<const char*>(record), bytes);
    __atomic_store_n(&page_->data_head, head + bytes, __ATOMIC_RELEASE);
    uint64_t half = page_->data_size / 2;
    if (head / half != (head + bytes) / half) ring_doorbell(*session_);
  }

  [[nodiscard]] bool detached() const { return detached_; }

 private:
  bool wait_for_space(uint64_t head, uint32_t bytes) {
    while (!detached_ &&
           head + bytes - __atomic_load_n(&page_->data_tail, __ATOMIC_ACQUIRE) > page_->data_size) {
      uint32_t seen = __atomic_load_n(&status_->consumer_futex, __ATOMIC_ACQUIRE);
      __atomic_store_n(&status_->producer_waits, 1u, __ATOMIC_SEQ_CST);
      if (head + bytes - __atomic_load_n(&page_->data_tail, __ATOMIC_SEQ_CST) <= page_->data_size) break;
      __atomic_fetch_add(&status_->waits, 1, __ATOMIC_RELAXED);
      ring_doorbell(*session_);
      constexpr uint64_t kPatienceNs = 100000000;  // then look whether the recorder still lives
      futex_wait(&status_->consumer_futex, seen, kPatienceNs);
      detached_ = __atomic_load_n(&status_->unread, __ATOMIC_ACQUIRE) != 0 || !recorder_lives(session_fd_);
    }
    __atomic_store_n(&status_->producer_waits, 0u, __ATOMIC_RELEASE);
    return !detached_;
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
};

}  // namespace hm::soft
