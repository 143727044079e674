// SPDX-License-Identifier: MIT
#include "app/measure/soft/passing_records.h"

#include <algorithm>
#include <cstring>

#include "record/comm.h"
#include "record/mmap.h"
#include "record/task.h"

namespace hm::measure {

void PassingRecords::see(Bytes bytes) {
  perf_event_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  record::Record record{header.type, header.misc, false, bytes.subspan(sizeof(header)), 0};
  if (header.type != PERF_RECORD_SAMPLE) seen_.see(record);
  switch (header.type) {
    case PERF_RECORD_MMAP2:
      return see_mapping(record);
    case PERF_RECORD_COMM:
      return see_name(record);
    case PERF_RECORD_FORK:
      return see_fork(record);
    case PERF_RECORD_SAMPLE: {
      constexpr size_t kTimeOffset = 32;  // header, identifier, ip, pid and tid: sampling/sample_record.h
      uint64_t time_ns = 0;
      std::memcpy(&time_ns, bytes.data() + kTimeOffset, sizeof(time_ns));
      return see_time(time_ns);
    }
    default:
      return;
  }
}

void PassingRecords::see_mapping(const record::Record& record) {
  auto mmap = record::decode_mmap(record);
  if (!mmap || !mmap->executable) return;
  profile::NumberedSpace& code = processes_[mmap->pid].code;
  code.mappings.add(
      {mmap->address, mmap->address + mmap->length, mmap->file_offset, seen_.files().index_of(*mmap)});
  code.version = ++versions_;
}

void PassingRecords::see_name(const record::Record& record) {
  auto comm = record::decode_comm(record);
  if (!comm || comm->pid != comm->tid) return;
  Process& process = processes_[comm->pid];
  process.name = comm->name;
  if (comm->by_exec) process.code = {};
}

void PassingRecords::see_fork(const record::Record& record) {
  auto task = record::decode_task(record);
  if (!task || task->pid == task->parent_pid) return;  // a thread
  processes_[task->pid] = Process(processes_[task->parent_pid]);
}

void PassingRecords::see_time(uint64_t time_ns) {
  span_.first_ns = span_.first_ns == 0 ? time_ns : std::min(span_.first_ns, time_ns);
  span_.last_ns = std::max(span_.last_ns, time_ns);
}

void PassingRecords::describe(record::Features& features) const {
  if (span_.last_ns != 0) features.sample_time = span_;
  seen_.describe(features);
}

CodePlace PassingRecords::find(uint32_t pid, uint64_t address) const {
  auto process = processes_.find(pid);
  if (process == processes_.end()) return {};
  CodePlace place{process->second.name, {}, 0};
  const profile::Mapping* mapping = process->second.code.mappings.find(address);
  if (mapping == nullptr || !app::MappedFiles::is_file(path(mapping->dso))) return place;
  place.file = path(mapping->dso);
  place.offset = mapping->offset + (address - mapping->start);
  return place;
}

const profile::NumberedSpace& PassingRecords::code_of(uint32_t pid) const {
  static const profile::NumberedSpace kNothing;
  auto process = processes_.find(pid);
  return process == processes_.end() ? kNothing : process->second.code;
}

}  // namespace hm::measure
