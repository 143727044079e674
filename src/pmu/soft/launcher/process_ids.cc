// SPDX-License-Identifier: MIT
// Sources: perf_event_open(2) for the records; pid_namespaces(7) and proc(5), "NSpid".
#include "pmu/soft/launcher/process_ids.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <cstddef>
#include <cstring>

#include "base/numbered_entries.h"
#include "base/process_files.h"
#include "pmu/soft/ring/stack_record.h"

namespace hm::soft {
namespace {

constexpr size_t kPayload = sizeof(perf_event_header);
constexpr size_t kSampleIds = kPayload + 16;  // after the identifier and the ip: sampling/sample_record.h
constexpr size_t kTrailerBytes = 24;          // sample_id_all: pid, tid, time, id

template <typename T>
bool read_at(std::span<const std::byte> record, size_t offset, T& value) {
  if (offset > record.size() || sizeof(T) > record.size() - offset) return false;
  std::memcpy(&value, record.data() + offset, sizeof(T));
  return true;
}

void write_at(std::span<std::byte> record, size_t offset, uint32_t value) {
  if (offset <= record.size() && sizeof(value) <= record.size() - offset)
    std::memcpy(record.data() + offset, &value, sizeof(value));
}

}  // namespace

void ProcessIds::look_up_threads() {
  for (int outside : numbered_entries(fmt::format("/proc/{}/task", outside_)))
    threads_[static_cast<uint32_t>(number_in_namespace(outside))] = static_cast<uint32_t>(outside);
}

uint32_t ProcessIds::thread(uint32_t inside) {
  if (!differ()) return inside;
  if (inside == inside_) return outside_;
  auto found = threads_.find(inside);
  if (found != threads_.end()) return found->second;
  look_up_threads();
  return threads_.try_emplace(inside, inside).first->second;
}

void ProcessIds::replace(std::span<std::byte> record, size_t process_offset, size_t thread_offset) {
  uint32_t process = 0, inside = 0;
  bool is_own = read_at(record, process_offset, process) && process == inside_ &&
                read_at(record, thread_offset, inside);
  if (!is_own) return;
  write_at(record, process_offset, outside_);
  write_at(record, thread_offset, thread(inside));
}

void ProcessIds::translate(std::span<std::byte> record) {
  perf_event_header header{};
  if (!differ() || !read_at(record, 0, header)) return;
  if (header.type == PERF_RECORD_SAMPLE) return replace(record, kSampleIds, kSampleIds + 4);
  if (header.type == kStackRecord)  // has no trailer: the stack's bytes are at its end
    return replace(record, offsetof(StackRecord, pid), offsetof(StackRecord, tid));
  if (record.size() >= kPayload + kTrailerBytes) {
    size_t trailer = record.size() - kTrailerBytes;
    replace(record, trailer, trailer + 4);
  }
  switch (header.type) {
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: {
      uint32_t parent_inside = 0;
      bool by_itself = read_at(record, kPayload + 4, parent_inside) && parent_inside == inside_;
      if (by_itself) {
        replace(record, kPayload + 4, kPayload + 12);
      } else if (parent_ != 0) {
        write_at(record, kPayload + 4, parent_);
        write_at(record, kPayload + 12, parent_);
      }
      return replace(record, kPayload, kPayload + 8);
    }
    case PERF_RECORD_COMM:
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
    case PERF_RECORD_READ:
      return replace(record, kPayload, kPayload + 4);
    default:
      return;
  }
}

}  // namespace hm::soft
