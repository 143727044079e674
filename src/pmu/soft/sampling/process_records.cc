// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/process_records.h"

#include <linux/mman.h>

#include "pmu/soft/ring/decimal.h"

namespace hm::soft {
namespace {

RecordBuilder& end(RecordBuilder& record, const Origin& origin) {
  record.put_sample_id(origin.pid, origin.tid, origin.time_ns, 0);
  return record;
}

RecordBuilder task_record(uint32_t type, const Origin& origin, uint32_t parent_pid, uint32_t parent_tid) {
  RecordBuilder record(type, PERF_RECORD_MISC_USER);
  record.put(origin.pid);
  record.put(parent_pid);
  record.put(origin.tid);
  record.put(parent_tid);
  record.put(origin.time_ns);
  end(record, origin);
  return record;
}

}  // namespace

bool Mapping::worth_recording() const {
  // "[stack]", "[heap]", "[vvar]", but not "[anon:...]".
  bool named = name[0] == '[' && (name[1] == 's' || name[1] == 'h' || name[1] == 'v');
  return of_file || named || (protection & PROT_EXEC) != 0;
}

Mapping heap_mapping(uint64_t start, uint64_t end) {
  Mapping mapping;
  mapping.start = start;
  mapping.bytes = end - start;
  mapping.protection = PROT_READ | PROT_WRITE;
  mapping.name = "[heap]";
  return mapping;
}

Mapping memory_mapping(uint64_t start, uint64_t end, uint32_t protection) {
  Mapping mapping;
  mapping.start = start;
  mapping.bytes = end - start;
  mapping.protection = protection;
  mapping.name = "//anon";
  return mapping;
}

RecordBuilder thread_stack_record(const Origin& origin, uint64_t start, uint64_t end) {
  constexpr char kPrefix[] = "[stack:";
  char name[sizeof(kPrefix) + kMaxDecimalDigits + 1] = {};
  __builtin_memcpy(name, kPrefix, sizeof(kPrefix) - 1);
  *write_decimal(name + sizeof(kPrefix) - 1, origin.tid) = ']';
  Mapping mapping = memory_mapping(start, end, PROT_READ | PROT_WRITE);
  mapping.name = name;
  return mapping_record(origin, mapping);
}

RecordBuilder comm_record(const Origin& origin, const char* name, bool by_exec) {
  RecordBuilder record(PERF_RECORD_COMM, by_exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
  record.put(origin.pid);
  record.put(origin.tid);
  char comm[16] = {};  // the kernel's TASK_COMM_LEN
  for (unsigned i = 0; i + 1 < sizeof(comm) && name[i] != '\0'; ++i) comm[i] = name[i];
  record.put_text(comm);
  end(record, origin);
  return record;
}

RecordBuilder fork_record(const Origin& origin, uint32_t parent_pid, uint32_t parent_tid) {
  return task_record(PERF_RECORD_FORK, origin, parent_pid, parent_tid);
}

RecordBuilder exit_record(const Origin& origin) {
  return task_record(PERF_RECORD_EXIT, origin, origin.pid, origin.pid);
}

RecordBuilder mapping_record(const Origin& origin, const Mapping& mapping) {
  uint16_t misc = PERF_RECORD_MISC_USER;
  if ((mapping.protection & PROT_EXEC) == 0) misc |= PERF_RECORD_MISC_MMAP_DATA;
  RecordBuilder record(PERF_RECORD_MMAP2, misc);
  record.put(origin.pid);
  record.put(origin.tid);
  record.put(mapping.start);
  record.put(mapping.bytes);
  record.put(mapping.file_offset);
  record.put(mapping.device_major);
  record.put(mapping.device_minor);
  record.put(mapping.inode);
  record.put(uint64_t{0});  // inode generation: unknown here
  record.put(mapping.protection);
  record.put(static_cast<uint32_t>(mapping.shared ? MAP_SHARED : MAP_PRIVATE));
  record.put_text(mapping.name);
  end(record, origin);
  return record;
}

NoticeRecord undecodable_notice(uint32_t pid, uint64_t ip, uint64_t available) {
  NoticeRecord notice{};
  notice.header = {kNoticeRecord, 0, sizeof(notice)};
  notice.notice = static_cast<uint32_t>(Notice::kUndecodable);
  notice.pid = pid;
  notice.ip = ip;
  const auto* code = reinterpret_cast<const uint8_t*>(ip);
  for (unsigned i = 0; i < sizeof(notice.bytes) && i < available; ++i) notice.bytes[i] = code[i];
  return notice;
}

NoticeRecord leave_notice(uint32_t pid, LeaveReason reason) {
  NoticeRecord notice{};
  notice.header = {kNoticeRecord, 0, sizeof(notice)};
  notice.notice = static_cast<uint32_t>(Notice::kLeft);
  notice.pid = pid;
  notice.ip = static_cast<uint64_t>(reason);
  return notice;
}

const char* base_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

}  // namespace hm::soft
