// SPDX-License-Identifier: MIT
// The consumer side of a ring buffer in the kernel's layout; used for both PMUs.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bytes.h"

namespace hm::record {

class RingReader {
 public:
  // `page` heads a mapping with its data at page->data_offset. Its contents are untrusted: the writer may be
  // damaged.
  RingReader(perf_event_mmap_page* page, const std::byte* data, uint64_t data_bytes)
      : page_(page), data_(data), data_bytes_(data_bytes) {}

  // Calls `take(Bytes)` with each whole record now in the ring and frees the space. Returns the number of
  // bytes freed. An invalid header ends the ring: damaged() returns true from then on.
  template <typename Take>
  uint64_t drain(Take&& take) {
    auto take_and_drop = [&](Bytes record) { return take(record), false; };
    return drain_runs(take_and_drop, [](Bytes) {});
  }

  // Like drain(), but `look(Bytes)` returns for each record whether to keep it. `take_run(Bytes)` receives
  // the kept records; adjacent records are passed in one call.
  template <typename Look, typename TakeRun>
  uint64_t drain_runs(Look&& look, TakeRun&& take_run) {
    uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
    uint64_t start = page_->data_tail;
    uint64_t tail = start;
    Bytes run;
    while (!damaged_ && tail != head) {
      uint64_t size = record_bytes(tail, head);
      if (size == 0) break;
      Bytes record = view(tail, size);
      tail += size;
      if (!look(record)) continue;
      if (record.data() == run.data() + run.size()) {
        run = {run.data(), run.size() + record.size()};
        continue;
      }
      if (!run.empty()) take_run(run);
      run = record;
    }
    if (!run.empty()) take_run(run);
    __atomic_store_n(&page_->data_tail, damaged_ ? head : tail, __ATOMIC_RELEASE);
    return tail - start;
  }

  [[nodiscard]] bool damaged() const { return damaged_; }

  // Returns true if there may be no room for another record.
  [[nodiscard]] bool is_nearly_full() const {
    constexpr uint64_t kUsualRecordBytes = 4096;  // for samples without a stack
    return __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE) - page_->data_tail + kUsualRecordBytes >
           data_bytes_;
  }

 private:
  // Returns the size of the record at `tail`. Returns 0 and sets damaged_ if there is no valid record.
  // Records begin at multiples of 8, so a header never wraps.
  uint64_t record_bytes(uint64_t tail, uint64_t head) {
    perf_event_header header{};
    bool there = tail % 8 == 0 && head - tail <= data_bytes_ && head - tail >= sizeof(header);
    if (there) std::memcpy(&header, data_ + (tail & (data_bytes_ - 1)), sizeof(header));
    bool right = there && header.size >= sizeof(header) && header.size % 8 == 0 && header.size <= head - tail;
    damaged_ = !right;
    return damaged_ ? 0 : header.size;
  }

  // Returns the record in place, or a contiguous copy if it wraps.
  Bytes view(uint64_t tail, uint64_t bytes) {
    uint64_t offset = tail & (data_bytes_ - 1);
    if (offset + bytes <= data_bytes_) return {data_ + offset, bytes};
    wrapped_.resize(bytes);
    copy_out(tail, wrapped_.data(), bytes);
    return wrapped_;
  }

  void copy_out(uint64_t tail, std::byte* to, uint64_t bytes) const {
    uint64_t offset = tail & (data_bytes_ - 1);
    uint64_t first = data_bytes_ - offset < bytes ? data_bytes_ - offset : bytes;
    std::memcpy(to, data_ + offset, first);
    std::memcpy(to + first, data_, bytes - first);
  }

  perf_event_mmap_page* page_;
  const std::byte* data_;
  uint64_t data_bytes_;
  bool damaged_ = false;
  std::vector<std::byte> wrapped_;
};

}  // namespace hm::record
