// SPDX-License-Identifier: MIT
// Builds one perf record, field by field. Freestanding.
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

#include "pmu/soft/ring/ring_writer.h"

namespace hm::soft {

// The largest possible record; the caller ensures that its record fits.
inline constexpr uint32_t kMaxRecordBytes = 8192;

class RecordBuilder {
 public:
  RecordBuilder(uint32_t type, uint16_t misc) {
    auto* header = reinterpret_cast<perf_event_header*>(buffer_);
    header->type = type;
    header->misc = misc;
    size_ = sizeof(*header);
  }

  template <typename T>
  void put(const T& value) {
    __builtin_memcpy(buffer_ + size_, &value, sizeof(T));
    size_ += sizeof(T);
  }
  void put_bytes(const void* bytes, uint32_t count) {
    __builtin_memcpy(buffer_ + size_, bytes, count);
    size_ += count;
  }
  // Appends a string with its NUL, padded to 8 bytes, and truncated to the length of the longest path.
  void put_text(const char* text) {
    constexpr uint32_t kLongest = 4095;
    uint32_t length = 0;
    while (text[length] != '\0' && length < kLongest) ++length;
    put_bytes(text, length);
    put(uint8_t{0});
    pad();
  }
  // Appends zero bytes up to a multiple of 8.
  void pad() {
    while (size_ % 8 != 0) buffer_[size_++] = 0;
  }
  // Appends the fields at the end of every record but samples (perf_event_open(2), sample_id_all), as
  // kSampleType selects them.
  void put_sample_id(uint32_t pid, uint32_t tid, uint64_t time_ns, uint64_t id) {
    put(pid);
    put(tid);
    put(time_ns);
    put(id);
  }

  // Writes the size to the header; returns the whole record.
  const void* finish() {
    reinterpret_cast<perf_event_header*>(buffer_)->size = static_cast<uint16_t>(size_);
    return buffer_;
  }
  void write_to(RingWriter& ring) {
    const void* finished = finish();
    ring.write(finished, size_);
  }
  [[nodiscard]] uint32_t size() const { return size_; }

 private:
  alignas(8) unsigned char buffer_[kMaxRecordBytes];
  uint32_t size_ = 0;
};

}  // namespace hm::soft
