// SPDX-License-Identifier: MIT
#include "record/recorded_state.h"

#include <algorithm>
#include <cstring>

#include "record/comm.h"
#include "record/extension.h"
#include "record/mmap.h"
#include "record/sample_id.h"
#include "record/task.h"
#include "record/whole_records.h"

namespace hm::record {
namespace {

constexpr uint32_t kKsymbol = 17, kBpfEvent = 18, kNamespaces = 16;  // PERF_RECORD_*
// Flag of a FORK: the child does not inherit its parent's mappings; they follow as records. This is
// PERF_RECORD_MISC_FORK_EXEC, which perf_event_open(2) reserves for perf.
constexpr uint16_t kWithoutMappings = 1 << 13;

void set_u32(std::vector<std::byte>& record, size_t payload_offset, uint32_t value) {
  std::memcpy(record.data() + sizeof(perf_event_header) + payload_offset, &value, sizeof value);
}

// Overwrites the process and thread IDs of a record that begins with them.
std::vector<std::byte> of_thread(std::vector<std::byte> record, uint32_t pid, uint32_t tid) {
  set_u32(record, 0, pid);
  set_u32(record, sizeof pid, tid);
  return record;
}

}  // namespace

RecordedState::RecordedState(std::vector<EventDescription> events)
    : events_(std::move(events)),
      sample_id_bytes_(events_.empty() ? 0 : sample_id_bytes(events_.front().attr)) {}

void RecordedState::see(Bytes whole_records) {
  for_each_record(whole_records,
                  [&](const perf_event_header& header, Bytes record) { see_record(header, record); });
}

void RecordedState::see_record(const perf_event_header& header, Bytes record) {
  Record decoded = record_of(header, record);
  switch (header.type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      return see_mapping(decoded, without_time(record));
    case PERF_RECORD_COMM:
      return see_comm(decoded, without_time(record));
    case PERF_RECORD_FORK:
      return see_fork(decoded, without_time(record));
    case PERF_RECORD_EXIT:
      return see_exit(decoded);
    case PERF_RECORD_SAMPLE:
      if (is_heap_site(record)) others_.emplace_back(record.begin(), record.end());
      return;
    case kKsymbol:
    case kBpfEvent:
    case kNamespaces:
      others_.push_back(without_time(record));
      return;
    default:
      return;
  }
}

// Drops older mappings that lie wholly below the new one.
void RecordedState::see_mapping(const Record& record, Stored stored) {
  Result<Mmap> mmap = decode_mmap(record);
  if (!mmap) return;
  auto& mappings = processes_[mmap->pid].mappings;
  uint64_t end = mmap->address + mmap->length;
  auto begin = mappings.lower_bound(mmap->address);
  auto last = begin;
  while (last != mappings.end() && last->first < end && last->second.end <= end) ++last;
  mappings.erase(begin, last);
  mappings[mmap->address] = {end, next_mapping_++, std::move(stored)};
}

void RecordedState::see_comm(const Record& record, Stored stored) {
  Result<Comm> comm = decode_comm(record);
  if (!comm) return;
  if ((record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0) processes_[comm->pid].mappings.clear();
  Thread& thread = threads_[comm->tid];
  thread.pid = comm->pid;
  thread.comm = std::move(stored);
  processes_[comm->pid].threads.insert(comm->tid);
  ended_.erase(comm->tid);
  ended_before_.erase(comm->tid);
}

void RecordedState::see_fork(const Record& record, Stored stored) {
  Result<Task> task = decode_task(record);
  if (!task) return;
  forget(task->tid);
  perf_event_header header{};
  std::memcpy(&header, stored.data(), sizeof header);
  header.misc |= kWithoutMappings;
  std::memcpy(stored.data(), &header, sizeof header);
  Thread& thread = threads_[task->tid];
  thread = {task->pid, std::move(stored), {}};
  if (auto parent = threads_.find(task->parent_tid); parent != threads_.end() && !parent->second.comm.empty())
    thread.comm = of_thread(parent->second.comm, task->pid, task->tid);
  Process& process = processes_[task->pid];
  process.threads.insert(task->tid);
  if (task->pid == task->parent_pid) return;
  process.mappings = processes_[task->parent_pid].mappings;
  for (auto& [start, mapping] : process.mappings)
    mapping.record = of_thread(std::move(mapping.record), task->pid, task->tid);
}

void RecordedState::see_exit(const Record& record) {
  if (Result<Task> task = decode_task(record)) ended_.insert(task->tid);
}

void RecordedState::forget(uint32_t tid) {
  ended_.erase(tid);
  ended_before_.erase(tid);
  auto thread = threads_.find(tid);
  if (thread == threads_.end()) return;
  auto process = processes_.find(thread->second.pid);
  threads_.erase(thread);
  if (process == processes_.end()) return;
  process->second.threads.erase(tid);
  if (process->second.threads.empty()) processes_.erase(process);
}

bool RecordedState::is_heap_site(Bytes sample) const {
  uint64_t id = 0;  // PERF_SAMPLE_IDENTIFIER is the first field
  if (sample.size() < sizeof(perf_event_header) + sizeof id) return false;
  std::memcpy(&id, sample.data() + sizeof(perf_event_header), sizeof id);
  auto event = std::ranges::find_if(
      events_, [](const EventDescription& each) { return each.attr.config == kHeapSiteConfig; });
  return event != events_.end() && std::ranges::find(event->ids, id) != event->ids.end();
}

RecordedState::Stored RecordedState::without_time(Bytes record) const {
  Stored stored(record.begin(), record.end());
  size_t end = std::min(sample_id_bytes_, stored.size() - sizeof(perf_event_header));
  std::fill(stored.end() - static_cast<ptrdiff_t>(end), stored.end(), std::byte{0});
  return stored;
}

void RecordedState::repeat(ByteWriter& out) {
  for (const auto& [tid, thread] : threads_) {
    out.append(thread.fork);
    out.append(thread.comm);
  }
  std::vector<const Mapping*> mappings;
  for (const auto& [pid, process] : processes_) {
    for (const auto& [start, mapping] : process.mappings) mappings.push_back(&mapping);
  }
  std::ranges::stable_sort(mappings, {}, &Mapping::number);  // arrival order: newer ones may hide older ones
  for (const Mapping* mapping : mappings) out.append(mapping->record);
  for (const Stored& each : others_) out.append(each);
  std::set<uint32_t> long_ended = std::move(ended_before_);
  ended_before_ = std::move(ended_);
  ended_.clear();
  for (uint32_t tid : long_ended) forget(tid);
}

}  // namespace hm::record
